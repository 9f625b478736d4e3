/** Names that people choose cannot contain web addresses or control characters, because mails and pages show them. */
import { describe, expect, it } from 'vitest';
import { expectRefusal } from '../support/envelope.ts';
import { inviting, newAddress } from '../support/invites.ts';
import { freshStack } from '../support/parts.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { inviteAndMail, staffWith, submit } = await inviting(stack, keys);

const hostile = [
  ['an address of the web', 'ACTION REQUIRED: https://evil.example/login'],
  ['an address without its scheme', 'Verify at www.evil.example'],
  ['an address of the web in full-width characters', 'ACTION REQUIRED: https：／／evil.example/login'],
  ['an address with an invisible joiner', 'Verify at ww\u200dw.evil.example'],
  ['a line break', 'Ada\r\nBcc: all@example.com'],
  ['a control character', 'Ada\u0007'],
  ['a character that turns the reading direction', 'Ada \u202eecalevoL'],
] as const;
const blank = [
  ['a blank of Braille', '\u2800'],
  ['a filler of Hangul', '\u3164'],
  ['joiners', '\u200d\u200d'],
  ['an accent', '\u0301'],
] as const;
const ofPeople = [
  ...hostile,
  ['a bare domain, which mail programs link', 'Your prize: evil.example/win'],
  ['an IP address', 'Reset at 203.0.113.5/login'],
  ['an IP address in full-width characters', 'Reset at ２０３．０．１１３．５'],
  ['a domain with an ideographic dot', 'Visit evil。com'],
  ['a domain with a half-width ideographic dot', 'Visit evil｡com'],
  ['a domain with a full-width dot', 'Visit evil．com'],
  ['a domain with a dot leader', 'Visit evil․com'],
  ['a domain with a joiner after its dot', 'Visit evil.\u200dcom'],
  ['a domain with a joiner before its dot', 'Visit evil\u200d.com'],
  ['a domain with a variation selector', 'Visit evil.\ufe0fcom'],
  ['a domain with accents of their own', 'Visit ev\u0301il.com'],
  ['a domain of another script', 'Visit зло.рф'],
  ['a domain whose name is a symbol', 'Visit 💌.to'],
  ['a domain whose name is a letter in a circle', 'Visit ⓐ.to'],
  ['a symbol with a variation selector before a dot', 'Visit ❤️.Ada'],
  ['a domain of two parts', 'Visit evil.co.uk'],
  ['a domain below a title', 'Visit Dr.evil.com'],
  ['the host of an address', 'Write to win@evil.com'],
  ['a page of a domain with one letter', 'Visit t.me/win'],
  ['a phone number', 'PayPal Security: call +1 (888) 555-0199'],
  ['a phone number in full-width digits', 'Call ０８０ １２３ ４５６７'],
  ['a phone number in Arabic digits', 'Call ٠٨٠٠ ١٢٣ ٤٥٦'],
  [
    'a phone number in keycaps',
    'Call 1\ufe0f\u20e32\ufe0f\u20e33\ufe0f\u20e34\ufe0f\u20e35\ufe0f\u20e36\ufe0f\u20e37\ufe0f\u20e3',
  ],
  ['a phone number with invisible joiners', 'Call 555\u200d0199'],
] as const;
const fine = [
  'Ada Lovelace',
  'Dr. J. R. R. Tolkien',
  'Jean-Luc O’Neill, Jr.',
  '山田 太郎',
  'Zoë 👩‍🚀',
  'می‌خواهم',
  'Ada… Bo',
  'Ada, no. 1.2.3',
  'M.S.Dhoni',
  'K.Ravi',
  'Md.Rahman',
  'St.John Smith',
  'Prof.Dr.Müller',
  'Anna v.d.Berg',
  'A.P.J.Abdul Kalam',
  'S.Ng',
  'Dr.No',
  'Ph.D.Ada',
  'Ma.Teresa Cruz',
  'Agent 007',
  'X Æ A-12',
  'John Smith 3rd (1.2.3456)',
  'Ada ★ Lovelace',
  'Zoë ❤️.',
];

const refusal = { status: 422, type: 'ValidationError', property: 'name' } as const;
const rename = (name: string) =>
  stack.call('users/update', { path: '/admin/users/me/', key: keys.staff.Editor ?? '', body: { users: [{ name }] } });
const join = async (name: string) => {
  const email = newAddress();
  const { token } = await inviteAndMail(email);
  const path = '/admin/authentication/invitation/';
  const body = { invitation: [{ token, name, password: 'correct horse' }] };
  return { email, token, answer: await stack.call('invites/accept', { path, body }) };
};
const integrate = (name: string) =>
  stack.call('integrations/create', {
    path: '/admin/integrations/',
    key: keys.owner,
    body: { integrations: [{ name }] },
  });

describe('the name of a staff member', () => {
  it.each(ofPeople)('cannot have %s', async (_, name) => {
    expectRefusal(await rename(name), refusal);
  });

  // One rule for all three ways to choose a name.
  it.each([hostile[0], hostile[4], ofPeople[7]])('cannot have %s from the first day', async (_, name) => {
    const { email, answer, token } = await join(name);
    expectRefusal(answer, refusal);
    const page = await submit(token, { name });
    expect(page.status).toBe(422);
    expect(page.text).toContain('without web addresses');
    expect(page.text).toContain('a space after');
    expect(await staffWith(email)).toEqual([]);
  });

  it.each(blank)('cannot be empty but for %s', async (_, name) => {
    expectRefusal(await rename(name), refusal);
    const { token } = await inviteAndMail(newAddress());
    expect((await submit(token, { name })).text).toContain('Please enter your name');
  });

  it('has as many characters as the API allows on the page, too', async () => {
    const name = '😀'.repeat(191);
    const { token } = await inviteAndMail(newAddress());
    expect((await submit(token, { name })).status).toBe(200);
  });

  it.each(fine)('can be %s', async (name) => {
    expect((await rename(name)).status).toBe(200);
  });

  it('can be one of several dots from the first day', async () => {
    expect((await join('A.P.J.Abdul Kalam')).answer.status).toBe(200);
  });
});

describe('the name of an integration', () => {
  it.each([...hostile, ...blank])('cannot have %s', async (_, name) => {
    expectRefusal(await integrate(name), refusal);
  });

  it.each(['Bookshop', 'Zapier.com', 'Search (staging)'])('can be %s', async (name) => {
    expect((await integrate(name)).status).toBe(201);
  });
});

describe('the subject of an invitation', () => {
  it('shortens the names of the inviter and the publication', async () => {
    const name = `Ada ${'Lovelace '.repeat(20).trim()}`;
    expect((await rename(name)).status).toBe(200);
    const email = newAddress();
    await inviteAndMail(email, keys.staff.Editor);
    const [{ subject, body } = expect.fail()] = await stack.mailsTo(email);
    expect(subject).toMatch(/^Ada Lovelace [\w ]+… invites you to The Daily Test$/);
    expect(subject.length).toBeLessThan(100);
    expect(body.text).toContain(name);
  });
});
