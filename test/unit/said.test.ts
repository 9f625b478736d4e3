/** What a receiver says with a 410, as owners read it in mails and lists. */
import { describe, expect, it } from 'vitest';
import { saidIn } from '../../shared/deliveries/attempt/said.ts';

const signature = 'k4jhZQ2n0b1yq8vTqYwVQ5o0m3aJwR1fYw2l9xkq3aU=';
const request = {
  url: 'https://hooks.bookshop.example/services/T0/B0/xoxsecretpath?token=query-secret',
  headers: {
    Authorization: 'Bearer header-secret',
    'X-Api-Key': 'a"quoted secret',
    'webhook-signature': `v1,${signature}`,
    'X-Ghost-Signature': 'sha256=0d3f5c, t=1795253400040',
    'Content-Type': 'application/json',
  },
  credentials: ['Authorization', 'X-Api-Key'],
};
const until = new Date(2_000_000).toISOString();
const webhook = { secret: 'whsec_stored', previous_secrets: [{ secret: 'earlier-secret', until }] };
const said = (excerpt: string, status = 410) => saidIn({ status, excerpt }, request, webhook, 1_000_000);

describe('what a receiver said', () => {
  it.each([
    ['Slack, to an archived channel', 'channel_is_archived', '410 channel_is_archived'],
    [
      'Make, without a scenario',
      'There is no scenario listening for this webhook.\n',
      '410 There is no scenario listening for this webhook.',
    ],
    ['Zapier, in JSON', '{"status":"hook is gone"}', '410 {"status":"hook is gone"}'],
    [
      'nginx, in HTML',
      '<html>\r\n<head><title>410 Gone</title></head>\r\n<body>\r\n<h1>410 Gone</h1></body></html>',
      '410 410 Gone 410 Gone',
    ],
    ['a page with a style and a script', '<!doctype html><style>b{}</style><script>x("<b>")</script>Gone', '410 Gone'],
    ['half a page', '<html><body>Gone <a href="https://example.com', '410 Gone'],
    ['nothing', '', '410'],
    [
      'several lines with controls and a changed reading direction',
      'a\u0000b\r\n\u202ec\u001b[31md',
      '410 a b c [31md',
    ],
    ['half an emoji', 'gone \ud83d', '410 gone \ufffd'],
    ['a comparison, which is no markup', '1 < 2 and 3 > 2', '410 1 < 2 and 3 > 2'],
    ['a long text', 'x'.repeat(1024), `410 ${'x'.repeat(95)}…`],
  ])('by %s is its status and one short line of text', (_, excerpt, expected) => expect(said(excerpt)).toBe(expected));

  it('has the status of an answer with webhook-delivery: disable', () => expect(said('bye', 200)).toBe('200 bye'));

  it.each([
    'Bearer header-secret',
    'header-secret',
    JSON.stringify({ key: 'a"quoted secret' }),
    'whsec_stored',
    'earlier-secret',
    signature,
    '0d3f5c',
    'no /services/T0/B0/xoxsecretpath here',
    'https://hooks.bookshop.example/services/T0/B0/xoxsecretpath?token=query-secret',
    encodeURIComponent('/services/T0/B0/xoxsecretpath'),
    `${'x'.repeat(80)} header-secret`,
  ])('does not repeat a secret of the request: %s', (excerpt) => {
    for (const secret of ['header', 'quoted', 'stored', 'earlier', signature.slice(0, 8), '0d3f', 'xoxsecret', 'query'])
      expect(said(excerpt)).not.toContain(secret);
  });
});
