/** The invitation mail: its content, its language, and protection against injected names. */
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { oneLine } from '../../shared/foundation/text.ts';
import { invitationMail } from '../../shared/invites/mail.ts';
import { invite, publication } from '../support/invitation.ts';
import { seenText } from '../support/seen-text.ts';

vi.stubEnv('SETTINGS', '{}');

const link = 'https://owl.example.org/ghost/api/invitation/019acb5a70d1a1b2c3d4e5f6abc/';

describe('the invitation mail', () => {
  it('states in text and HTML who invites to what, until when, and that it may be ignored', () => {
    const { text, html } = invitationMail(invite(), link, publication());
    for (const part of [text, seenText(html)])
      for (const fact of [
        'Olive Owner invites you to join the staff of The Daily Owl',
        'https://owl.example.org',
        'Editor',
        'ada@example.net',
        'olive@owl.example.org',
        '28 November 2026 at 09:24 UTC',
        'works once',
        "Didn't expect this?",
        'You can ignore this email.',
      ])
        expect(part).toContain(fact);
    expect(text).toContain(`\n${link}\n`);
    expect(html.split(`href="${link}"`)).toHaveLength(3);
  });

  it('states each of these facts once', () => {
    const { text, html } = invitationMail(invite(), link, publication());
    for (const part of [text.split('\n-- \n')[0] ?? '', seenText(/<h1.*<\/h1>.*<\/table>/s.exec(html)?.[0] ?? '')])
      for (const fact of ['The Daily Owl', 'Editor', 'ada@example.net', 'olive@owl.example.org', '28 November 2026'])
        expect(part.split(fact), `${fact} in ${part}`).toHaveLength(2);
  });

  it('has no link in a name with dots', () => {
    const { text, html } = invitationMail(
      invite({ inviter: { name: 'M.S.Li', email: 'li@example.net' } }),
      link,
      publication(),
    );
    for (const part of [text, html]) {
      expect(part).toContain('M.\u2060S.\u2060Li');
      expect(part).not.toContain('S.Li');
    }
  });

  it('names no inviter and has no Reply-To if an integration invites', () => {
    const mail = invitationMail(invite({ inviter: null }), link, publication());
    expect(mail.subject).toBe('Your invitation to The Daily Owl');
    expect(mail.text).toMatch(/^You are invited to join the staff of The Daily Owl/);
    expect(mail.replyTo).toBeUndefined();
    expect(mail.text).not.toContain('reply');
  });

  it('is in German if the language of the stage is German', () => {
    const mail = invitationMail(invite(), link, publication({ language: 'de' }));
    expect(mail.subject).toBe('Olive Owner lädt Sie zu The Daily Owl ein');
    expect(mail.html).toMatch(/^<!doctype html>\n<html lang="de">/);
    for (const fact of ['Rolle', 'Redaktion', '28. November 2026 um 09:24 UTC', 'können Sie diese E-Mail ignorieren'])
      expect(mail.text).toContain(fact);
  });

  it('shows a role of the stage as it is configured', () => {
    for (const role of ['Photographer', 'constructor', '__proto__'])
      expect(invitationMail(invite({ role }), link, publication({ language: 'de' })).text).toContain(`„${role}“`);
  });

  it("needs no image, because the logo has the publication's name as alternative text", () => {
    const { html } = invitationMail(invite(), link, publication({ logoUrl: 'https://owl.example.org/logo.png' }));
    expect([...html.matchAll(/<img[^>]*>/g)].map(([tag]) => tag)).toEqual([
      expect.stringContaining('alt="The Daily Owl"'),
    ]);
    expect(invitationMail(invite(), link, publication()).html).not.toContain('<img');
  });

  it('fits 320 px and dark mode', () => {
    const { html } = invitationMail(invite(), link, publication());
    for (const [, width = ''] of html.matchAll(/(?<![-\w])width[=:]\s*"?(\d+)(?:px|")/g))
      expect(Number(width)).toBeLessThanOrEqual(320 - 40);
    expect(html).toContain('<meta name="color-scheme" content="light dark">');
    expect(html).toContain('@media (prefers-color-scheme: dark)');
  });

  it('contains no script and no external resource', () => {
    const { html } = invitationMail(invite(), link, publication());
    expect(html).not.toMatch(/<script|<link|@import|url\(|<form|\son\w+=/i);
    expect([...html.matchAll(/src="/g)]).toEqual([]);
  });
});

/** Names that try to break out of their context. */
const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(
    'Ada\r\nBcc: all@example.org',
    'Ada\nContent-Type: text/html\n\n<h1>',
    '</title><script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    'Ada\u2028\u2029\u0085Eve',
    '\u202egnp.exe\u202c',
    '{{constructor}}',
    '=?UTF-8?Q?=0D=0ABcc:_x@example.org?=',
    'A, B <eve@example.org>',
  ),
);

describe('names in the mail', () => {
  it('cannot end a header or start another', () => {
    fc.assert(
      fc.property(hostile, hostile, (inviter, name) => {
        const mail = invitationMail(
          invite({ inviter: { name: inviter, email: 'olive@owl.example.org' } }),
          link,
          publication({ name: name || 'x' }),
        );
        expect(mail.subject).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
      }),
    );
  });

  it('cannot become HTML: the tags are the same for all names', () => {
    const tagsOf = (html: string) => [...html.matchAll(/<[^>]*>/g)].map(([tag]) => tag.replaceAll(/"[^"]*"/g, '""'));
    const ordinary = invitationMail(
      invite({ inviter: { name: 'Olive', email: 'o@example.org' } }),
      link,
      publication(),
    );
    fc.assert(
      fc.property(hostile, hostile, hostile, (inviter, name, role) => {
        const mail = invitationMail(
          invite({ inviter: { name: inviter, email: 'o@example.org' }, role }),
          link,
          publication({ name }),
        );
        expect(tagsOf(mail.html)).toEqual(tagsOf(ordinary.html));
      }),
    );
  });

  it('cannot add a line to the text', () => {
    const lines = (inviter: string) =>
      invitationMail(invite({ inviter: { name: inviter, email: 'o@example.org' } }), link, publication()).text.split(
        /\r|\n/,
      ).length;
    fc.assert(
      fc.property(hostile, (inviter) => {
        expect(lines(inviter)).toBe(lines('Olive'));
      }),
    );
  });

  it('cannot change the reading direction', () => {
    expect(oneLine('Ada\u202e evoL\u2066x\u200b')).toBe('Ada evoLx');
    expect(oneLine('👩‍💻 می‌خواهم')).toBe('👩‍💻 می‌خواهم');
  });
});
