/** The mails about an incident: what they say, what they leave out, and in which language. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { incidentMail, recoveryMail } from '../../shared/incidents/mail.ts';
import { presentListed } from '../../shared/webhooks/declined.ts';
import type { Webhook, WebhookResource } from '../../shared/webhooks/webhook.ts';
import { failingWebhook, noticeStage, toldIncident } from '../support/notice.ts';
import { seenText } from '../support/seen-text.ts';

const member = { to: 'olive@owl.example.org', isContact: false };
const mailAbout = (changes: Partial<Webhook> = {}, stage = noticeStage(), reader = member) =>
  incidentMail(toldIncident(failingWebhook(changes)), reader, stage);
const mailAboutMany = (count: number, changes: Partial<Webhook> = {}) =>
  incidentMail(
    toldIncident(
      ...Array.from({ length: count }, (_, number) => {
        const id = `${number}`.padStart(24, '0') as WebhookResource['id'];
        return failingWebhook({ id, name: `Hook ${number}`, ...(number === 0 ? changes : {}) });
      }),
    ),
    member,
    noticeStage(),
  );
const base = 'https://desk.owl.example.org/ghost/api';
const disabled = { status: 'disabled', disabled_for: 'failing' } as const;
const declined = {
  status: 'disabled',
  disabled_for: 'receiver',
  declined_at: '2026-11-26T10:12:00.000Z',
  declined_with: '410 see archived.example now',
} as const;

describe('the mail about an incident', () => {
  it.each<[string, Partial<Webhook>, string[]]>([
    [
      'fails',
      {},
      [
        'New posts is failing: unreachable',
        'If none succeeds by 26 November 2026 at 09:24 UTC, the webhook is disabled.',
        'HTTP 503 (26 November 2026 at 10:12 UTC)',
        'The receiver at hooks.bookshop.example reports an error.',
      ],
    ],
    [
      'is disabled',
      disabled,
      ['New posts is disabled: unreachable', 'held for 30 days', 'enable the webhook and send what was held'],
    ],
    [
      'was declined by its receiver',
      declined,
      [
        'New posts is disabled: target gone',
        'asked for no more',
        'The delivery that it answered waits, and so do new ones, for 30 days.',
        '410 see archived.\u2060example now (26 November 2026 at 10:12 UTC)',
        'it is deleted on 26 December 2026 at 10:12 UTC',
      ],
    ],
  ])('says in text and HTML of a webhook that %s what happened, why, what to do and what waits', (_, changes, own) => {
    const { subject, text, html } = mailAbout(changes);
    expect(subject).toBe(own[0]);
    for (const part of [text, seenText(html)])
      for (const said of [
        ...own,
        'New posts (019acb5130f4a1b2c3d4e5f6)',
        'Bookshop',
        'hooks.bookshop.example',
        '12 deliveries, the oldest kept until 21 December 2026 at 09:24 UTC',
        'at most one mail follows in six hours',
      ])
        expect(part).toContain(said);
    expect(text).toMatch(/\n-- \nThe Daily Owl\nhttps:\/\/owl\.example\.org\n$/);
  });

  it('counts several webhooks in its subject, and names ten of them', () => {
    const { subject, text } = mailAboutMany(12, disabled);
    expect(subject).toBe('12 webhooks at hooks.bookshop.example are failing: unreachable');
    expect(text).toMatch(/Hook 0, Hook 1, .*, Hook 9, and 2 more\n/);
    expect(text).toContain('those that still fail are disabled. Disabled already: 1.');
  });

  it.each([{}, disabled, declined])('has the same words in text and HTML (%#)', (changes) => {
    const { text, html } = mailAbout(changes);
    const body = text.split('\n-- \n')[0]?.replaceAll(/\s+/g, ' ') ?? '';
    for (const word of body.split(' ')) expect(seenText(html)).toContain(word.replace(/:$/, ''));
  });

  it('leads staff to the incident in the console, and a contact to the documentation', () => {
    const link = `${base}/console/#/webhooks?host=hooks.bookshop.example&cause=unreachable`;
    expect(mailAbout().text).toContain(`See why:\n${link}\n`);
    expect(mailAbout().html).toContain(`href="${link.replaceAll('&', '&amp;')}"`);
    const { text, html } = mailAbout({}, noticeStage(), { ...member, isContact: true });
    expect(`${text}${html}`).not.toContain('/console/');
    expect(text).toContain(`Open the API documentation:\n${base}/admin/docs/`);
  });

  it.each(['Sign in at https://owl.evil.com/', 'www.evil.com'])(
    'omits the name "%s", which could lead its readers elsewhere',
    (name) => {
      const { subject, text, html } = mailAbout({ name });
      expect(`${subject}${text}${html}`).not.toContain('evil.com');
      expect(subject).toBe('A webhook at hooks.bookshop.example is failing: unreachable');
      expect(text).toContain('019acb5130f4a1b2c3d4e5f6');
    },
  );

  it('has no link in a name', () => {
    const { text, html } = mailAbout({ name: 'Go to evil.com now' });
    expect(`${text}${html}`).not.toContain('evil.com');
    expect(text).toContain('Go to evil.\u2060com now (019acb5130f4a1b2c3d4e5f6)');
  });

  it.each([
    ['dns', 'the host name could not be resolved'],
    ['timeout', 'no answer in time'],
    ['tls_expired', 'the certificate has expired'],
    ['an error of a later version', 'an error of a later version'],
  ])('explains the error `%s` in words', (last_triggered_error, meaning) => {
    expect(mailAbout({ last_triggered_status: null, last_triggered_error }).text).toMatch(
      new RegExp(`^Last error: +${meaning} \\(26 November 2026 at 10:12 UTC\\)$`, 'm'),
    );
  });

  it.each([
    [null, 'dns', 'hooks.bookshop.example was not found in the DNS. Check the spelling and the DNS record.'],
    ['404', 'status', 'hooks.bookshop.example has nothing at /…. Check the target URL'],
  ])('says what to do about the status %s and the error %s, as the console does', (status, error, advice) => {
    const changes = { last_triggered_status: status, last_triggered_error: error };
    expect(mailAbout(changes).text.replaceAll(/\s+/g, ' ')).toContain(advice);
  });

  it('leaves out what is unknown', () => {
    const told = { ...toldIncident(failingWebhook({ name: null })), integrations: [] };
    const { text } = incidentMail(
      { ...told, waiting: { count: 0, hasMore: false, oldest: undefined } },
      member,
      noticeStage(),
    );
    expect(text).toMatch(/^Webhook: +019acb5130f4a1b2c3d4e5f6\nReceiver: +hooks\.bookshop\.example\nLast error:/m);
    expect(text).not.toMatch(/null|undefined|Integration:|Waiting:/);
  });

  it('shows only the host of the target, because the rest may be a secret', () => {
    for (const changes of [{}, disabled, declined]) {
      const { text, html } = mailAbout({ ...changes, secret: 'shh-secret' });
      for (const part of [text, html]) expect(part).not.toMatch(/masthead\?|key=|secret/);
    }
  });

  it('has the branding of the publication', () => {
    const { html } = mailAbout(
      {},
      noticeStage({ accentColor: '#7a1f3d', logoUrl: 'https://owl.example.org/logo.png' }),
    );
    expect(html).toContain('border-top: 6px solid #7a1f3d');
    expect(html).toContain('bgcolor="#7a1f3d"');
    expect(html).toContain('<img src="https://owl.example.org/logo.png" alt="The Daily Owl"');
  });

  it("is in German if the publication's language is German", () => {
    const { subject, text, html } = mailAbout(disabled, noticeStage({ language: 'de' }));
    expect(subject).toBe('New posts ist deaktiviert: nicht erreichbar');
    expect(html).toMatch(/^<!doctype html>\n<html lang="de">/);
    for (const said of ['Seit dem 21. November 2026 um 09:24 UTC', 'Letzter Fehler:', 'Ursache anzeigen'])
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
        const told = { ...toldIncident(failingWebhook({ name })), integrations: [integration] };
        expect(shapeOf(incidentMail(told, member, noticeStage()))).toEqual(shapeOf(mailAbout()));
      }),
    );
  });
});

describe('the mail at the end of an incident', () => {
  const { failing_since: _, ...record } = failingWebhook({ last_triggered_status: '200', last_triggered_error: null });
  const end = {
    webhook: presentListed(record),
    host: 'hooks.bookshop.example',
    isOnly: false,
    still: [],
    waiting: { count: 1, hasMore: false, oldest: Date.parse('2026-11-21T09:24:00.000Z') },
  };

  it('says what works again, what follows, and what still waits', () => {
    const { subject, text } = recoveryMail(end, member, noticeStage());
    expect(subject).toBe('The webhooks at hooks.bookshop.example work again');
    expect(text).toContain('sent again only when you recover them');
    expect(text).toContain('1 delivery, kept until 21 December 2026 at 09:24 UTC');
    expect(text).toContain(`${base}/console/#/webhooks?q=hooks.bookshop.example`);
  });

  it('names the webhook if it is the only one there, or if others still fail', () => {
    expect(recoveryMail({ ...end, isOnly: true }, member, noticeStage()).subject).toBe('New posts works again');
    const { incident } = toldIncident(failingWebhook({ name: 'Other', last_triggered_status: '401' }));
    const { subject, text } = recoveryMail({ ...end, still: [incident] }, member, noticeStage());
    expect(subject).toBe('New posts works again');
    expect(text).toContain('Still failing there: Other (019acb5130f4a1b2c3d4e5f6) (requests refused).');
  });
});
