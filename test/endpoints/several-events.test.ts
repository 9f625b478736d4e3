/** Webhooks with several events: names separated by commas, `post.*` and `*`. */
import { afterAll, describe, expect, it, vi } from 'vitest';
import { ghostEvents } from '../../shared/foundation/event-names.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { subscriberKey } from '../../shared/webhooks/table-keys.ts';
import { deliveryTools } from '../support/deliveries.ts';
import { expectRefusal } from '../support/envelope.ts';
import { freshStack } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';
import { deleteExpired } from '../support/time-to-live.ts';
import { newUrl, webhookCalls } from '../support/webhooks.ts';

const shopEvents = Array.from({ length: 40 }, (_, number) => `shop.order.e${number}`);
const stack = await freshStack({ ownEvents: shopEvents });
const keys = await stack.seed();
const { webhook, publish, rows, record, items, put, ...tools } = deliveryTools(stack, keys);
const { create, update, remove, existing } = webhookCalls(stack);
vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
let status = 200;
const receiver = await receiveWebhooks((response) => response.writeHead(status).end());
afterAll(() => {
  receiver.close();
  vi.useRealTimers();
});

/** Delivers an event, a millisecond after the one before. */
const deliver = (event: string | undefined) => {
  vi.setSystemTime(Date.now() + 1);
  return tools.deliver(event);
};
let paths = 0;
const url = () => `${receiver.origin}/${paths++}`;
const eventsOf = async (id: string) => (await rows(id)).map(({ event }) => event);
const invalid = { status: 422, type: 'ValidationError', property: 'event' } as const;
const discard = (id: string) => remove(id, keys.integration);

describe('a webhook with several events', () => {
  it('gets the events that it names, and keeps its `event` as it was sent', async () => {
    const event = 'post.*,tag.added,member.deleted';
    const { id, event: answered } = await webhook(url(), { event });
    expect(answered).toBe(event);
    for (const name of ['post.added', 'post.tag.attached', 'tag.added', 'tag.edited', 'page.added', 'member.deleted'])
      await deliver(name);
    expect(await eventsOf(id)).toEqual(['post.added', 'post.tag.attached', 'tag.added', 'member.deleted']);
    expect((await update(id, { name: 'Site' }, keys.integration)).body.webhooks[0].event).toBe(event);
    await discard(id);
  });

  it('gets each event once, however its names overlap', async () => {
    const { id } = await webhook(url(), { event: 'post.added,post.*,*,post.added' });
    for (const name of ['post.added', 'site.changed', shopEvents[0]]) await deliver(name);
    expect(await eventsOf(id)).toEqual(['post.added', 'site.changed', shopEvents[0]]);
    await discard(id);
  });

  it("gets Masthead's own events by their names only", async () => {
    const all = await webhook(url(), { event: '*' });
    const named = await webhook(url(), { event: '*,webhook.disabled' });
    const subject = await webhook(url(), { event: 'tag.added' });
    const path = `/admin/webhooks/${subject.id}/disable/`;
    await stack.call('webhooks/disable', { path, key: keys.integration });
    for (const queue of ['events', 'deliveries'] as const) await stack.drain(queue);
    expect(await eventsOf(all.id)).toEqual([]);
    expect(await eventsOf(named.id)).toEqual(['webhook.disabled']);
    for (const { id } of [all, named, subject]) await discard(id);
  });

  it('gets other events after a change, and those before are cancelled', async () => {
    const { id } = await webhook(url(), { event: 'post.*,page.added' });
    await deliver('post.added');
    vi.setSystemTime(Date.now() + 1);
    await publish('post.edited');
    await publish('tag.added');
    await update(id, { event: 'page.*,tag.*' }, keys.integration);
    await stack.drain('deliveries');
    await deliver('page.edited');
    await deliver('post.added');
    expect((await rows(id)).map((row) => [row.event, row.status])).toEqual([
      ['post.added', 'delivered'],
      ['post.edited', 'cancelled'],
      ['page.edited', 'delivered'],
    ]);
    await discard(id);
  });

  it('gets an event once if it leaves a wider list while the event is on its way', async () => {
    // They fill the first page, and are newer than the event, so that nothing is sent to them.
    const others = Array.from({ length: 60 }, (_, number) => (0xffn * 256n ** 11n + BigInt(number)).toString(16));
    await put(others.map((id) => ({ ...subscriberKey('post.scheduled', id as WebhookId), webhook_id: id })));
    const [narrowed, widened] = [
      await webhook(url(), { event: '*' }),
      await webhook(url(), { event: 'post.scheduled' }),
    ];
    vi.setSystemTime(Date.now() + 1);
    await publish('post.scheduled');
    await update(narrowed.id, { event: 'post.scheduled,tag.added' }, keys.integration);
    await update(widened.id, { event: '*' }, keys.integration);
    // Messages wait for up to a week.
    vi.setSystemTime(Date.now() + 6 * 24 * 60 * 60_000);
    await deleteExpired(stack);
    for (const queue of ['events', 'deliveries'] as const) await stack.drain(queue);
    for (const event of ['post.scheduled', 'post.added', 'tag.added']) await deliver(event);
    const got = ['post.scheduled', 'post.scheduled', 'tag.added'];
    expect((await rows(narrowed.id)).map(({ event }) => event)).toEqual(got);
    expect(await eventsOf(widened.id)).toEqual(['post.scheduled', 'post.scheduled', 'post.added', 'tag.added']);
    for (const { id } of [narrowed, widened]) await discard(id);
  });

  it('is deleted with all that belongs to it', async () => {
    const names = ['post.added', ...shopEvents.slice(0, 30), '*'];
    const { id } = await webhook(url(), { event: names.join() });
    const ofNames = async () => (await Promise.all(names.map((name) => items(`EVENT#${name}`)))).flat();
    const left = async () => (await ofNames()).filter(({ webhook_id }) => webhook_id === id).length;
    // A guard for each name, a subscriber for the widest.
    expect(await left()).toBe(names.length + 1);
    await discard(id);
    expect(await left()).toBe(0);
  });

  it('is replayed for all its events', async () => {
    const { id } = await webhook(url(), { event: 'post.*,tag.added' });
    for (const name of ['post.added', 'tag.added']) await deliver(name);
    await update(id, { event: 'post.*' }, keys.integration);
    vi.setSystemTime(Date.now() + 1);
    const path = `/admin/webhooks/${id}/replays/`;
    const range = { since: '2020-01-01', until: '2100-01-01' };
    await stack.call('replays/create', { path, key: keys.integration, body: { replays: [range] } });
    await stack.drain('replays');
    expect((await rows(id)).filter(({ trigger }) => trigger === 'replay').map(({ event }) => event)).toEqual([
      'post.added',
    ]);
    await discard(id);
  });

  it('is pinged with an example of its first event', async () => {
    const { id } = await webhook(url(), { event: 'tag.*,post.added' });
    const body = { pings: [{ example: true }] };
    await stack.call('webhooks/ping', { path: `/admin/webhooks/${id}/ping/`, key: keys.integration, body });
    expect(await eventsOf(id)).toEqual(['tag.added']);
    await discard(id);
  });
});

describe('the names of a webhook', () => {
  const refusalOf = async (event: string) =>
    expectRefusal(await create({ event, target_url: newUrl() }, keys.integration), invalid);

  it.each([
    ['post.adde,page.added', '"post.adde" does not exist; did you mean post.added'],
    ['post.tag.*', '"post.tag.*" does not exist; did you mean post.tag.attached, post.tag.detached'],
    ['psot.*', 'did you mean post.*'],
    ['POST.*', 'did you mean post.*'],
    ['webhook.*', '"webhook.*" does not exist'],
    ['staff.*', '"staff.*" does not exist'],
    ['post.added,', '"" does not exist'],
    ['post.added;page.added', 'does not exist'],
    ['post.added, page.added', '" page.added" does not exist; did you mean page.added'],
    ['**', '"**" does not exist'],
  ])('are refused with near matches: %s', async (event, message) => {
    expect((await refusalOf(event)).message).toContain(message);
  });

  it('are at most 40', async () => {
    const forty = [...ghostEvents, ...shopEvents].slice(0, 40);
    expect((await refusalOf([...forty, 'shop.*'].join())).details).toMatchObject([{ rule: 'max_names' }]);
    const { id } = await webhook(url(), { event: forty.join(), options: { description: 'All' } });
    await deliver('post.added');
    expect(await eventsOf(id)).toEqual(['post.added']);
    expect((await update(id, { target_url: url() }, keys.integration)).status).toBe(200);
    expect((await discard(id)).status).toBe(204);
  });

  it('change in several requests if one would need more than 100 writes', async () => {
    const before = ghostEvents.slice(0, 29).join();
    const { id, target_url } = await webhook(url(), { event: before });
    const changes = { event: shopEvents.slice(0, 30).join(), target_url: url() };
    const { help, details } = expectRefusal(await update(id, changes, keys.integration), invalid);
    expect(help).toContain('Change the events first, then the target');
    expect(details).toMatchObject([{ rule: 'max_writes', limit: 100 }]);
    expect(await record(id)).toMatchObject({ event: before, target_url });
    for (const event of [ghostEvents.slice(0, 15).join(), shopEvents.slice(0, 15).join(), changes.event])
      expect((await update(id, { event }, keys.integration)).status).toBe(200);
    expect((await update(id, changes, keys.integration)).status).toBe(200);
    await deliver(shopEvents[29]);
    expect(await eventsOf(id)).toEqual([shopEvents[29]]);
    await discard(id);
  });

  it('need the permission for events about staff if one of them is one', async () => {
    const target_url = newUrl();
    for (const event of ['staff.added', 'post.added,staff.removed'])
      expectRefusal(await create({ event, target_url }, keys.integration), { status: 403, type: 'NoPermissionError' });
    const { id } = await existing(keys.integration, { event: '*', target_url });
    await discard(id);
  });
});

describe('two webhooks with one target', () => {
  it('may overlap, but not have a name in common', async () => {
    const target_url = url();
    const first = await webhook(target_url, { event: 'post.*,page.added' });
    const second = await webhook(target_url, { event: 'post.added,*' });
    const { message, details } = expectRefusal(
      await create({ event: 'tag.added,page.added', target_url: target_url.toUpperCase() }, keys.integration),
      { status: 422, type: 'ValidationError' },
    );
    expect(message).toContain('`page.added`');
    expect(details).toMatchObject([{ field: 'target_url', rule: 'unique', limit: first.id }]);
    const changed = await update(second.id, { event: 'tag.added,post.*' }, keys.integration);
    expect(expectRefusal(changed, { status: 422, type: 'ValidationError' }).message).toContain('`post.*`');
    await deliver('post.added');
    for (const { id } of [first, second]) expect(await eventsOf(id)).toEqual(['post.added']);
    await update(first.id, { event: 'page.added' }, keys.integration);
    expect((await update(second.id, { event: 'tag.added,post.*' }, keys.integration)).status).toBe(200);
    for (const { id } of [first, second]) await discard(id);
  });

  it('become one if the new one includes what the receiver has declined', async () => {
    const target_url = url();
    const old: string[] = [];
    for (const event of ['post.added', 'post.edited,tag.added', 'page.*'])
      old.push((await webhook(target_url, { event })).id);
    const other = await webhook(target_url, { event: 'member.added' });
    status = 410;
    for (const event of ['post.added', 'tag.added', 'page.added']) await deliver(event);
    status = 200;
    expect((await record(old[1] ?? ''))?.status).toBe('disabled');
    const partly = { event: 'tag.added,site.changed', target_url };
    expectRefusal(await create(partly, keys.integration), { status: 422, type: 'ValidationError' });
    const answer = await create({ event: 'tag.added,*', target_url }, keys.integration);
    expect(answer.status).toBe(201);
    for (const id of old) expect(await record(id)).toBeUndefined();
    expect(await record(other.id)).toMatchObject({ status: 'available' });
    await deliver('tag.added');
    const [{ id }] = answer.body.webhooks;
    expect(await eventsOf(id)).toEqual(['tag.added']);
    for (const one of [id, other.id]) expect((await discard(one)).status).toBe(204);
    expect((await create({ event: 'post.added', target_url }, keys.integration)).status).toBe(201);
  });

  it('become one as far as a transaction goes; what is left is deleted after 30 days', async () => {
    const target_url = url();
    const old: string[] = [];
    for (const event of shopEvents.slice(0, 25)) old.push((await webhook(target_url, { event })).id);
    status = 410;
    for (const event of shopEvents.slice(0, 25)) await deliver(event);
    status = 200;
    const answer = await create({ event: 'shop.*', target_url }, keys.integration);
    expect(answer.status).toBe(201);
    const left = (await Promise.all(old.map((id) => record(id)))).filter((one) => one !== undefined);
    expect(left.length).toBeLessThan(10);
    vi.setSystemTime(Date.now() + 31 * 24 * 60 * 60_000);
    await stack.invoke('due/sweep', {});
    await stack.drain('deletions');
    for (const { id } of left) expect(await record(String(id))).toBeUndefined();
    await discard(answer.body.webhooks[0].id);
  });
});

describe('the options of a webhook with several events', () => {
  const refused = async (event: string, options: object, target_url = newUrl()) => {
    const answer = await create({ event, target_url, options }, keys.integration);
    return expectRefusal(answer, { status: 422, type: 'ValidationError' }).message;
  };
  const ofPosts = { post: { current: { visibility: ['public'] } } };

  it('have a filter that can match each name', async () => {
    expect(await refused('post.added,tag.added', { filter: ofPosts })).toContain(
      '`options.filter.post` never matches: the payload of tag.added',
    );
    expect(await refused('post.added,page.*', { filter: ofPosts })).toContain('never matches an event of `page.*`');
    expect(await refused('*', { filter: { post: { current: { a: [{ less: 1 }] } } } })).toContain('operator `less`');
  });

  it('have a filter that is applied to each event by its own name and body', async () => {
    const public_posts = await webhook(url(), { event: '*', options: { filter: ofPosts } });
    const by_name = await webhook(url(), {
      event: 'tag.added,post.*',
      options: { filter: { event: ['tag.added', 'post.edited'] } },
    });
    for (const event of ['post.added', 'post.edited', 'tag.added']) await deliver(event);
    expect(await eventsOf(public_posts.id)).toEqual([]);
    expect(await eventsOf(by_name.id)).toEqual(['post.edited', 'tag.added']);
    const trial = await stack.call('webhooks/try-filter', {
      path: `/admin/webhooks/${by_name.id}/trial/`,
      key: keys.integration,
      body: { trials: [{ filter: { event: [{ prefix: 'tag.' }, 'post.added'] } }] },
    });
    const tried = trial.body.trials[0].events as { event: string; matched: boolean; left_out: boolean }[];
    expect(tried.map(({ event, matched, left_out }) => [event, matched, left_out])).toEqual([
      ['tag.added', true, false],
      ['post.edited', false, false],
      ['post.added', true, true],
    ]);
    for (const { id } of [public_posts, by_name]) await discard(id);
  });

  it('have a format that fits each event', async () => {
    const format = { type: 'meilisearch', api_key: 'k' };
    const target_url = 'https://search.example.com/indexes/posts/documents';
    expect(await refused('post.published,post.added', { format }, target_url)).toContain('is for post.published');
    expect(await refused('post.*', { format }, target_url)).toContain('is for post.published');
  });
});

describe('a search index', () => {
  it.each([
    [
      { type: 'meilisearch', api_key: 'k' },
      '/indexes/posts/documents',
      ['/indexes/posts/documents', '/indexes/posts/documents/delete-batch'],
    ],
    [
      { type: 'algolia', application_id: 'A1', api_key: 'k' },
      '/1/indexes/posts/batch',
      ['/1/indexes/posts/batch', '/1/indexes/posts/batch'],
    ],
  ])('is kept in sync by one webhook: $type', async (format, path, expected) => {
    const event = 'post.published,post.published.edited,post.unpublished,post.deleted,tag.*';
    const { id } = await webhook(`${receiver.origin}${path}`, { event, options: { format } });
    const before = receiver.deliveries.length;
    for (const name of ['post.published', 'post.deleted']) await deliver(name);
    expect(receiver.deliveries.slice(before).map((one) => one.path)).toEqual(expected);
    await discard(id);
  });
});

describe('the deletion of an integration', () => {
  it('removes webhooks with many names', async () => {
    const path = '/admin/integrations/';
    const made = await stack.call('integrations/create', {
      path,
      key: keys.owner,
      body: { integrations: [{ name: 'Shop' }] },
    });
    const [{ id }] = made.body.integrations;
    for (let count = 0; count < 5; count++)
      await existing(keys.owner, { event: shopEvents.slice(0, 40).join(), integration_id: id });
    await stack.call('integrations/delete', { path: `${path}${id}/`, key: keys.owner });
    await stack.drain('deletions');
    for (const name of shopEvents) expect(await items(`EVENT#${name}`)).toEqual([]);
  });
});
