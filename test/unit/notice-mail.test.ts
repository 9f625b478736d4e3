/** The mail about a failing or disabled webhook: what it says, what it leaves out, and in which language. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contract } from '../../shared/contract.ts';
import { noticeMail } from '../../shared/webhooks/notice-mail.ts';
import { type Notice, notices, type Webhook } from '../../shared/webhooks/webhook.ts';
import { bookshop, failingWebhook, noticeStage } from '../support/notice.ts';
import { seenText } from '../support/seen-text.ts';

const to = 'olive@owl.example.org';
const mailAbout = (notice: Notice, changes: Partial<Webhook> = {}, stage = noticeStage()) =>
  noticeMail(notice, failingWebhook(changes), bookshop, to, stage);
const api = 'https://desk.owl.example.org/ghost/api/admin';
const hook = `${api}/webhooks/019acb5130f4a1b2c3d4e5f6`;

describe('a notice mail', () => {
  it.each<[Notice, string[]]>([
    [
      'failing',
      [
        'A webhook is failing: post.published',
        'If none succeeds by 26 November 2026 at 09:24 UTC',
        'HTTP 503 (26 November 2026 at 10:12 UTC)',
      ],
    ],
    ['disabled', ['A webhook was disabled: post.published', 'held for 30 days', `curl -X POST ${hook}/enable/`]],
    [
      'declined',
      [
        'A webhook was disabled by its receiver: post.published',
        'asked for no more',
        'The delivery that it answered waits, and so do new ones: for 30 days you can replay them.',
        '410 see archived.\u2060example now (26 November 2026 at 10:12 UTC)',
        'it is deleted on 26 December 2026 at 10:12 UTC',
        `curl -X POST ${hook}/enable/`,
      ],
    ],
  ])('about a webhook that is %s says in text and HTML what happened and what to do', (notice, own) => {
    const answered = { declined_at: '2026-11-26T10:12:00.000Z', declined_with: '410 see archived.example now' };
    const { subject, text, html } = mailAbout(notice, notice === 'declined' ? answered : {});
    expect(subject).toBe(own[0]);
    for (const part of [text, seenText(html)])
      for (const said of [
        ...own,
        'New posts (019acb5130f4a1b2c3d4e5f6)',
        'Bookshop',
        'https://hooks.bookshop.example',
        '$TOKEN is a token signed with an Admin API key',
        `${api}/docs/`,
      ])
        expect(part).toContain(said);
    expect(text).toMatch(/\n-- \nThe Daily Owl\nhttps:\/\/owl\.example\.org\n$/);
  });

  it.each(notices)('about a webhook that is %s has the same words in text and HTML', (notice) => {
    const { text, html } = mailAbout(notice);
    const body = text.split('\n-- \n')[0]?.replaceAll(/\s+/g, ' ') ?? '';
    for (const word of body.split(' ')) expect(seenText(html)).toContain(word.replace(/:$/, ''));
    expect(html).toContain(`href="${api}/docs/"`);
  });

  it.each(['Sign in at https://owl.evil.com/', 'www.evil.com'])(
    'omits the name "%s", which could lead its readers elsewhere',
    (name) => {
      const { subject, text, html } = mailAbout('declined', { name });
      expect(`${subject}${text}${html}`).not.toContain('evil.com');
      expect(text).toContain('019acb5130f4a1b2c3d4e5f6');
    },
  );

  it('has no link in a name', () => {
    const { subject, text, html } = mailAbout('declined', { name: 'Go to evil.com now' });
    expect(`${subject}${text}${html}`).not.toContain('evil.com');
    expect(text).toContain('Go to evil.\u2060com now (019acb5130f4a1b2c3d4e5f6)');
  });

  it('has complete commands, with the token and, for JSON, the content type', () => {
    const commandsIn = (notice: Notice) =>
      mailAbout(notice)
        .text.replaceAll(/ \\\n\s*/g, ' ')
        .split('\n')
        .filter((line) => /^\s*curl /.test(line))
        .map((line) => line.trim());
    const authorization = '-H "Authorization: Ghost $TOKEN"';
    expect(commandsIn('failing')).toEqual([`curl ${hook}/deliveries/ ${authorization}`]);
    expect(commandsIn('disabled')).toEqual([
      `curl -X POST ${hook}/enable/ ${authorization}`,
      expect.stringContaining(`curl ${hook}/replays/ ${authorization} -H "Content-Type: application/json" -d '{`),
    ]);
  });

  it('links only to a page that exists', () => {
    const { text } = mailAbout('disabled');
    const links = [...text.matchAll(/^https:\S+$/gm)].map(([url]) => url).filter((url) => url.startsWith(api));
    expect(links.map((url) => url.slice(api.length))).toEqual(['/docs/']);
    expect(contract.map((line) => ('path' in line ? line.path : ''))).toContain('/admin/docs/');
  });

  it('says since when every attempt has failed', () => {
    for (const notice of ['failing', 'disabled'] as const)
      expect(mailAbout(notice).text).toContain('Every attempt has failed since 21 November 2026 at 09:24 UTC');
  });

  it('has a replay command that starts at the first failure', () => {
    expect(mailAbout('disabled').text).toContain(
      `-d '{"replays":[{"since":"2026-11-14T09:24:00.000Z","until":"2026-12-26T09:24:00.000Z","status":"held"}]}'`,
    );
  });

  it.each([
    ['dns', 'the host name could not be resolved'],
    ['timeout', 'no answer in time'],
    ['tls_expired', 'the certificate has expired'],
    ['an error of a later version', 'an error of a later version'],
  ])('explains the error `%s` in words', (last_triggered_error, meaning) => {
    expect(mailAbout('failing', { last_triggered_status: null, last_triggered_error }).text).toMatch(
      new RegExp(`^Last error: +${meaning} \\(26 November 2026 at 10:12 UTC\\)$`, 'm'),
    );
  });

  it.each([
    [null, 'dns', 'hooks.bookshop.example was not found in the DNS. Check the spelling and the DNS record.'],
    ['404', 'status', 'hooks.bookshop.example has nothing at /…. Check the target URL'],
  ])('says what to do about the status %s and the error %s, as the console does', (status, error, advice) => {
    const changes = { last_triggered_status: status, last_triggered_error: error };
    expect(mailAbout('failing', changes).text.replaceAll(/\s+/g, ' ')).toContain(advice);
  });

  it('leaves out an unknown name, integration and error', () => {
    const { text } = noticeMail(
      'declined',
      failingWebhook({ name: null, last_triggered_error: null }),
      undefined,
      to,
      noticeStage(),
    );
    expect(text).toMatch(/^Webhook: +019acb5130f4a1b2c3d4e5f6\nReceiver: +https:\/\/hooks\.bookshop\.example\n\n/m);
    expect(text).not.toMatch(/null|undefined|Integration:|Last error:/);
  });

  it('shows only the origin of the target, because the rest may be a secret', () => {
    for (const notice of notices) {
      const { text, html } = mailAbout(notice, { secret: 'shh-secret' });
      for (const part of [text, html]) expect(part).not.toMatch(/masthead\?|key=|secret/);
    }
  });

  it('has the branding of the publication', () => {
    const { html } = mailAbout(
      'disabled',
      {},
      noticeStage({ accentColor: '#7a1f3d', logoUrl: 'https://owl.example.org/logo.png' }),
    );
    expect(html).toContain('border-top: 6px solid #7a1f3d');
    expect(html).toContain('bgcolor="#7a1f3d"');
    expect(html).toContain('<img src="https://owl.example.org/logo.png" alt="The Daily Owl"');
  });

  it("is in German if the publication's language is German", () => {
    const { subject, text, html } = mailAbout('disabled', {}, noticeStage({ language: 'de' }));
    expect(subject).toBe('Ein Webhook wurde deaktiviert: post.published');
    expect(html).toMatch(/^<!doctype html>\n<html lang="de">/);
    for (const said of ['Seit dem 21. November 2026 um 09:24 UTC', 'Letzter Fehler:', 'API-Dokumentation öffnen'])
      expect(text).toContain(said);
    expect(text).not.toMatch(/\b(every|receiver|error|open)\b/i);
  });

  it('has the same tags and lines for all names, so that no name can change them', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.constantFrom('x\n\ncurl -X DELETE https://example.org', '</td><script>alert(1)</script>', "'; rm -rf ~; '"),
    );
    const shapeOf = ({ text, html }: { text: string; html: string }) => [
      text.split(/\r|\n/).length,
      [...html.matchAll(/<[^>]*>/g)].map(([tag]) => tag.replaceAll(/"[^"]*"/g, '""')),
    ];
    fc.assert(
      fc.property(hostile, hostile, (name, integration) => {
        const mail = noticeMail(
          'disabled',
          failingWebhook({ name }),
          { ...bookshop, name: integration },
          to,
          noticeStage(),
        );
        expect(shapeOf(mail)).toEqual(shapeOf(mailAbout('disabled')));
      }),
    );
  });
});
