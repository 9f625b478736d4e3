/** Connected Ghost sites (relays): what a site has sent, what was refused and why, and if its silence is unusual. */
import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type RelayDay, stateOf } from '../../shared/integrations/relay/history.ts';
import type { Key } from '../../shared/table/table-key.ts';
import { deliveryTools } from '../support/deliveries.ts';
import { expectRefusal } from '../support/envelope.ts';
import { freshStack } from '../support/parts.ts';

const stack = await freshStack();
const keys = await stack.seed();

const { items, put, tamper } = deliveryTools(stack, keys);
const webhookOf = async (integration_id: string): Promise<string> => {
  const body = {
    webhooks: [{ event: 'relay.silent', target_url: `https://${integration_id}.example.com/`, integration_id }],
  };
  const made = await stack.call('webhooks/create', { path: '/admin/webhooks/', key: keys.owner, body });
  expect(made.status, made.text).toBe(201);
  return made.body.webhooks[0].id;
};
const connect = async (name: string) => {
  const made = await stack.call('integrations/create', {
    path: '/admin/integrations/',
    key: keys.owner,
    body: { integrations: [{ name }] },
  });
  const { id } = made.body.integrations[0];
  const path = `/admin/integrations/${id}/inbound_secret/`;
  const { body } = await stack.call('integrations/replace-inbound-secret', { path, key: keys.owner });
  return { id: id as string, secret: body.secrets[0].secret as string };
};
const send = (id: string, signature: string | undefined, body = '{"tag":{"current":{"name":"news"},"previous":{}}}') =>
  stack.call('inbound/ghost', {
    path: `/inbound/ghost/${id}/tag.added/`,
    body,
    headers: { 'Content-Type': 'application/json', ...(signature !== undefined && { 'X-Ghost-Signature': signature }) },
  });
const signed = (secret: string, body = '{"tag":{"current":{"name":"news"},"previous":{}}}', at = Date.now()) =>
  `sha256=${createHmac('sha256', secret).update(body).update(String(at)).digest('hex')}, t=${at}`;
const relays = async () => {
  const answer = await stack.call('relays/list', { path: '/admin/relays/', key: keys.owner });
  expect(answer.status).toBe(200);
  return answer.body.relays as Record<string, unknown>[];
};

it('the list contains an integration once it has an inbound secret, but not the secret', async () => {
  const { id, secret } = await connect('Ghost blog.example');
  const answer = await stack.call('relays/list', { path: '/admin/relays/', key: keys.owner });
  expect(answer.text).not.toContain(secret);
  expect(answer.body.relays).toEqual([
    {
      integration_id: id,
      site: 'Ghost blog.example',
      last_event_at: null,
      events_per_day: 0,
      refused: [],
      silent_since: null,
      compared_at: null,
      unmoved: [],
    },
  ]);
});

const compare = (id: string, unmoved: unknown, key = keys.owner) =>
  stack.call('relays/update', {
    method: 'PUT',
    path: `/admin/relays/${id}/`,
    key,
    body: { relays: [{ unmoved }] },
  });

it('keeps what the last comparison with the site has found, and when it was made', async () => {
  const { id } = await connect('Ghost grown.example');
  const from = Date.now();
  const unmoved = [{ event: 'post.published', count: 2 }];
  const answer = await compare(id, unmoved);
  expect(answer.status, answer.text).toBe(200);
  const found = (await relays()).find(({ integration_id }) => integration_id === id);
  expect(answer.body.relays).toEqual([found]);
  expect(found).toMatchObject({ site: 'Ghost grown.example', unmoved });
  expect(Date.parse(String(found?.compared_at))).toBeGreaterThanOrEqual(from);
  expect((await compare(id, [])).body.relays).toMatchObject([{ unmoved: [] }]);
});

it('takes a comparison for a connected site only, from the Owner and Administrators', async () => {
  const made = await stack.call('integrations/create', {
    path: '/admin/integrations/',
    key: keys.owner,
    body: { integrations: [{ name: 'Not connected' }] },
  });
  const { id } = made.body.integrations[0];
  expectRefusal(await compare(id, []), { status: 404, type: 'NotFoundError' });
  expect(await items(`RELAY#${id}`)).toEqual([]);
  expectRefusal(await compare('0'.repeat(24), []), { status: 404, type: 'NotFoundError' });
  expectRefusal(await compare(id, [], keys.integration), { status: 403, type: 'NoPermissionError' });
  expectRefusal(await compare(id, [{ event: 'post.published', count: 0 }]), { status: 422, type: 'ValidationError' });
});

it('the list shows an accepted event at once, and refused requests with their reasons', async () => {
  const { id, secret } = await connect('Ghost news.example');
  const from = Date.now();
  expect((await send(id, signed('wrong'))).status).toBe(401);
  expect((await send(id, signed(secret))).status).toBe(202);
  const found = (await relays()).find(({ integration_id }) => integration_id === id);
  expect(found).toMatchObject({ events_per_day: 0.1, silent_since: null });
  expect(Date.parse(String(found?.last_event_at))).toBeGreaterThanOrEqual(from);
  expect(found?.refused).toEqual([{ reason: 'signature_wrong', count: 1, last_at: expect.any(String) }]);
});

it.each([
  ['a wrong signature', 'signature_wrong', /inbound_secret/, () => signed('wrong')],
  ['no signature', 'signature_missing', /inbound_secret/, () => undefined],
  ['an old signature', 'signature_expired', /clock/, () => signed('wrong', undefined, Date.now() - 6 * 60_000)],
])(
  'each of several requests with %s is in the list at once, also those of several sites',
  async (_, reason, fix, sign) => {
    const sites = [await connect('Ghost one.example'), await connect('Ghost two.example')];
    for (const { id } of [...sites, ...sites])
      expect(await send(id, sign())).toMatchObject({
        status: 401,
        body: { errors: [{ help: expect.stringMatching(fix) }] },
      });
    const found = await relays();
    for (const { id } of sites)
      expect(found.find(({ integration_id }) => integration_id === id)?.refused).toEqual([
        { reason, count: 2, last_at: expect.any(String) },
      ]);
  },
);

describe('a signed request that is refused is in the list at once, with its reason', () => {
  const nested = `${'['.repeat(70)}${']'.repeat(70)}`;
  const values = `[${'0,'.repeat(100_001)}0]`;
  it.each([
    ['is not JSON', 'body', 400, '{"tag":{"current":'],
    ['has two documents', 'body', 400, '{"tag":{}}{}'],
    ['is empty', 'body', 400, ' '],
    ['has too many levels', 'size', 400, `{"tag":${nested}}`],
    ['has too many values', 'size', 400, `{"tag":${values}}`],
    ['has too many bytes', 'size', 413, `{"tag":"${'x'.repeat(6 * 1024 * 1024)}"}`],
    ['is no payload', 'event', 422, '{"tag":1}'],
    ['is of another event', 'event', 422, '{"event":"tag.edited","tag":{"current":{},"previous":{}}}'],
  ])('if its body %s: %s', async (_, reason, status, body) => {
    const { id, secret } = await connect('Ghost refused.example');
    for (const count of [1, 2]) {
      expect((await send(id, signed(secret, body), body)).status).toBe(status);
      const found = (await relays()).find(({ integration_id }) => integration_id === id);
      expect(found?.refused).toEqual([{ reason, count, last_at: expect.any(String) }]);
    }
  });

  it('but not if a stranger sends a body that is too large', async () => {
    const { id } = await connect('Ghost strange.example');
    const body = 'x'.repeat(6 * 1024 * 1024 + 1);
    expect((await send(id, signed('wrong', body), body)).status).toBe(413);
    expect((await relays()).find(({ integration_id }) => integration_id === id)?.refused).toEqual([]);
  });
});

it('an event is accepted even if its count cannot be written', async () => {
  const { id, secret } = await connect('Ghost busy.example');
  stack.faults.set({ faults: [{ fault: 'error', function: 'inbound/ghost', action: 'UpdateItem' }] });
  const { random } = Math;
  Math.random = () => 0;
  try {
    expect((await send(id, signed(secret))).status).toBe(202);
  } finally {
    Math.random = random;
    stack.faults.set({ faults: [] });
  }
});

it("each silence publishes `relay.silent` once, only to webhooks of the site's integration", async () => {
  const { id } = await connect('Ghost quiet.example');
  const own = await webhookOf(id);
  const other = await webhookOf((await connect('Ghost other.example')).id);
  const at = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  for (const days of [9, 8, 7, 6, 5]) {
    const date = at(days).slice(0, 10);
    const last_event_at = `${date}T10:30:00.000Z`;
    const arrivals: object = { pk: `RELAY#${id}`, sk: `DAY#${date}`, h10: 4, last_event_at, format: 1 };
    await put([arrivals as Key]);
  }
  for (let minutes = 0; minutes < 3; minutes++) {
    await tamper({ pk: `RELAY#${id}`, sk: 'WATCH' }, { due_at: at(1) });
    await stack.invoke('due/sweep', {});
  }
  await stack.drain('events');
  const sent = (await stack.take('deliveries')).map(({ body }) => body);
  expect(sent).toMatchObject([{ webhook_ids: [own], event: 'relay.silent' }]);
  expect(other).not.toBe(own);
});

it('a relay is no longer watched after its integration was deleted', async () => {
  const { id } = await connect('Ghost gone.example');
  const gone = await stack.call('integrations/delete', { path: `/admin/integrations/${id}/`, key: keys.owner });
  expect(gone.status).toBe(204);
  await tamper({ pk: `RELAY#${id}`, sk: 'WATCH' }, { due_at: new Date(Date.now() - 60_000).toISOString() });
  await stack.invoke('due/sweep', {});
  expect(await items(`RELAY#${id}`)).toEqual([]);
});

it('the list is open to the Owner and Administrators only', async () => {
  const answer = await stack.call('relays/list', { path: '/admin/relays/', key: keys.integration });
  expectRefusal(answer, { status: 403, type: 'NoPermissionError' });
});

describe('the silence of a Ghost site', () => {
  const now = Date.parse('2026-11-24T12:00:00.000Z');
  const dayAgo = (days: number) => new Date(now - days * 86_400_000).toISOString().slice(0, 10);
  /** A site with events at 10 o'clock of these days. */
  const site = (...days: readonly number[]): RelayDay[] =>
    [...days]
      .sort((one, other) => other - one)
      .map((ago) => ({
        date: dayAgo(ago),
        last_event_at: `${dayAgo(ago)}T10:30:00.000Z`,
        counts: { h10: 4 },
        refused: {},
      }));
  const weekdays = [27, 26, 25, 22, 21, 20, 19, 18, 15, 14, 13, 12, 11, 8, 7, 6, 5, 4];

  it("is unusual if it is twice as long as the site's longest pause before", () => {
    const daily = Array.from({ length: 20 }, (_, index) => index + 3);
    expect(stateOf(site(...daily), now).silent_since).toBe(`${dayAgo(3)}T10:30:00.000Z`);
    expect(stateOf(site(...daily, 1), now).silent_since).toBeNull();
  });

  it('over a weekend is usual if the site never sends events on weekends', () => {
    expect(stateOf(site(...weekdays), now).silent_since).toBeNull();
    expect(stateOf(site(...weekdays.map((ago) => ago + 3)), now).silent_since).not.toBeNull();
  });

  it('of any length is usual if the site rarely sends events, and two days are in its first week', () => {
    expect(stateOf(site(5, 4, 2), now).silent_since).toBeNull();
    expect(stateOf(site(27, 20), now).silent_since).toBeNull();
  });
});
