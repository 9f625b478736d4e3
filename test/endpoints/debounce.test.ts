/** A webhook with `debounce`, from the API to its receiver: what a burst looks like, and what changes during it do. */
import { afterEach, describe, expect, it } from 'vitest';
import { unpack } from '../../shared/deliveries/records/messages.ts';
import { type DeliveryBody, deliveryTools } from '../support/deliveries.ts';
import { freshStack } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';
import { stopTime } from '../support/test-time.ts';
import { webhookCalls } from '../support/webhooks.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { webhook, publish, rows } = deliveryTools(stack, keys);
const { update, remove } = webhookCalls(stack);
const { pass, opened } = stopTime();
const key = keys.integration;

const second = 1000;
/** The webhook of the running test, the only one that gets its events. */
let current: string | undefined;
afterEach(async () => {
  if (current !== undefined) await remove(current, key);
  await stack.take('slow-deliveries');
});
const debounce = { seconds: 30, max_seconds: 120, per: 'webhook' };

/** Creates a webhook that waits 30 seconds for the end of a burst. */
const hook = async (options: object = { debounce }, name = 'post.*,tag.added') => {
  const receiver = opened(await receiveWebhooks((response) => response.end()));
  const { id } = await webhook(`${receiver.origin}/hook`, { event: name, options });
  const path = `/admin/webhooks/${id}/deliveries/`;
  current = id;
  return {
    id,
    arrived: receiver.deliveries,
    ids: () => idsIn(receiver.deliveries),
    list: async (query = '') => (await stack.call('deliveries/list', { path: path + query, key })).body.deliveries,
  };
};

/** Returns the ids that the publisher gave these events: what receivers get has a suffix. */
const idsIn = (
  deliveries: readonly { readonly headers: Readonly<Record<string, unknown>> }[],
): (string | undefined)[] => deliveries.map(({ headers }) => String(headers['masthead-event-id']).split('.')[0]);

let events = 0;
/** Publishes an event and hands it to its webhooks; returns its id. */
const event = async (name = 'post.edited', title = 'Hello'): Promise<string> => {
  const id = `event-${events++}`;
  expect((await publish(name, { id, title })).status).toBe(202);
  await stack.drain('events');
  const messages = (await stack.take('deliveries')).flatMap(({ body }) => unpack(body));
  for (const message of messages) await stack.work('deliveries', [message]);
  // A millisecond apart, so that their order is certain.
  pass(1);
  return id;
};

/** Lets this time pass, and processes what is due then. */
const waitFor = async (seconds: number): Promise<void> => {
  const sent = await stack.take('slow-deliveries');
  pass(seconds * second);
  const bodies = sent.map(({ body }) => body as DeliveryBody);
  for (const body of bodies) {
    if (Date.parse(body.next_attempt_at ?? '') <= Date.now()) await stack.work('slow-deliveries', [body]);
    else await stack.send('slow-deliveries', body);
  }
};

const setOptions = (id: string, options: object) =>
  stack.call('webhooks/update-options', { path: `/admin/webhooks/${id}/options/`, key, body: { options: [options] } });

describe('of a burst of events at a webhook with several names', () => {
  it('the last one arrives, and webhook, event and delivery show the others as superseded', async () => {
    const { id, ids, list } = await hook();
    const burst = [await event('post.edited'), await event('tag.added'), await event('post.published')] as const;
    const [newest, ...others] = await list();
    const until = new Date(Date.parse(newest.created_at) + 30 * second).toISOString();
    expect(newest).toMatchObject({ status: 'pending', superseded_by: null, next_attempt_at: until });
    expect(newest.waiting_for).toEqual({ reason: 'debounce', until });
    for (const other of others)
      expect(other).toMatchObject({ status: 'superseded', superseded_by: newest.id, waiting_for: null, attempts: 0 });
    await waitFor(29);
    expect(ids()).toEqual([]);
    await waitFor(1);
    expect(ids()).toEqual([burst[2]]);

    expect(await list('?status=superseded')).toEqual(others);
    const ofEvent = await stack.call('deliveries/list-all', {
      path: `/admin/deliveries/?event_id=${burst[0]}`,
      key,
    });
    expect(ofEvent.body.deliveries).toMatchObject([{ status: 'superseded', superseded_by: newest.id }]);
    const path = `/admin/webhooks/${id}/deliveries/${others[0].id}/`;
    const one = await stack.call('deliveries/read', { path, key });
    expect(one.body.deliveries).toMatchObject([{ status: 'superseded', superseded_by: newest.id, log: [] }]);
    expect((await list())[0]).toMatchObject({ status: 'delivered', superseded_by: null });
  });

  it('the last one is sent by the sweep if the window is longer than a message can be delayed', async () => {
    const { id, ids } = await hook({ debounce: { seconds: 3600, max_seconds: 3600 } });
    await event();
    const last = await event();
    expect(await stack.take('slow-deliveries')).toEqual([]);
    pass(3599 * second);
    await stack.invoke('due/sweep', {});
    expect(await stack.take('slow-deliveries')).toEqual([]);
    pass(second);
    await stack.invoke('due/sweep', {});
    const due = (await stack.take('slow-deliveries')).filter(({ body }) => body.webhook_id === id);
    await stack.work(
      'slow-deliveries',
      due.map(({ body }) => body),
    );
    expect(ids()).toEqual([last]);
  });
});

describe('a superseded delivery', () => {
  const superseded = async () => {
    const made = await hook();
    const first = await event();
    const last = await event();
    await waitFor(30);
    expect(made.ids()).toEqual([last]);
    const { id, ids } = made;
    return { id, ids: () => ids().slice(1), first, last };
  };
  const replayed = async (id: string, range: object) => {
    const since = new Date(Date.now() - 60 * second).toISOString();
    const replays = [{ since, until: new Date(Date.now() + 1000).toISOString(), ...range }];
    await stack.call('replays/create', { path: `/admin/webhooks/${id}/replays/`, key, body: { replays } });
    await stack.drain('replays');
    await stack.drain('slow-deliveries');
  };

  it('is sent at once if it is redelivered', async () => {
    const { id, ids, first } = await superseded();
    const [one] = (await rows(id)).filter(({ status }) => status === 'superseded');
    const path = `/admin/webhooks/${id}/deliveries/${one?.id}/redeliver/`;
    expect((await stack.call('deliveries/redeliver', { path, key })).status).toBe(202);
    await stack.drain('deliveries');
    expect(ids()).toEqual([first]);
  });

  it('is sent by a replay that names its status, and by no other', async () => {
    const { id, ids, first, last } = await superseded();
    await replayed(id, {});
    expect(ids()).toEqual([last]);
    pass(5 * second);
    await replayed(id, { status: 'superseded' });
    expect(ids()).toEqual([last, first]);
  });
});

describe('during a window', () => {
  it.each([
    ['the option is removed', { debounce: null }],
    ['its times change', { debounce: { seconds: 5, max_seconds: 5 } }],
    ['it is from now on for each resource', { debounce: { ...debounce, per: 'resource' } }],
  ])('%s: the delivery that waits is sent at its time, and later events follow the new option', async (_, options) => {
    const { id, ids, list } = await hook();
    await event();
    const last = await event();
    expect((await setOptions(id, options)).status).toBe(200);
    await waitFor(30);
    expect(ids()).toEqual([last]);
    const next = await event();
    await waitFor(30);
    expect(ids()).toEqual([last, next]);
    expect((await list()).map(({ status }: { status: string }) => status)).toEqual([
      'delivered',
      'delivered',
      'superseded',
    ]);
  });

  it('the webhook is disabled: the last event is held, and nothing else of the burst', async () => {
    const { id, ids, list } = await hook();
    await event();
    await stack.call('webhooks/disable', { path: `/admin/webhooks/${id}/disable/`, key });
    const last = await event();
    await waitFor(30);
    expect(ids()).toEqual([]);
    expect(await list('?status=held')).toMatchObject([{ event_id: last, waiting_for: { reason: 'disabled' } }]);
  });

  it('the webhook is disabled and enabled again: the last event is delivered', async () => {
    const { id, ids } = await hook();
    await event();
    await stack.call('webhooks/disable', { path: `/admin/webhooks/${id}/disable/`, key });
    const last = await event();
    await stack.call('webhooks/enable', { path: `/admin/webhooks/${id}/enable/`, key });
    await waitFor(30);
    expect(ids()).toEqual([last]);
  });

  it('the webhook moves to another target: the new one gets the last event', async () => {
    const { id, ids } = await hook();
    const moved = opened(await receiveWebhooks((response) => response.end()));
    const last = await event();
    expect((await update(id, { target_url: `${moved.origin}/moved` }, key)).status).toBe(200);
    await waitFor(30);
    expect(ids()).toEqual([]);
    expect(idsIn(moved.deliveries)).toEqual([last]);
  });

  it.each<[string, object]>([
    ['no longer subscribes to the last event', { event: 'tag.added' }],
    [
      'has a filter that leaves the last event out',
      { options: { filter: { post: { current: { title: ['News'] } } } } },
    ],
  ])('the webhook %s: nothing is delivered', async (_, changes) => {
    const { id, ids, list } = await hook({ debounce }, 'post.*');
    await event('post.added');
    await event('post.edited');
    expect((await update(id, changes, key)).status).toBe(200);
    await waitFor(30);
    expect(ids()).toEqual([]);
    expect((await list()).map(({ status }: { status: string }) => status)).toEqual(['cancelled', 'superseded']);
  });

  it('the webhook is deleted: nothing is delivered', async () => {
    const { id, ids } = await hook();
    await event();
    expect((await remove(id, key)).status).toBe(204);
    await waitFor(30);
    expect(ids()).toEqual([]);
    expect(await rows(id)).toMatchObject([{ status: 'cancelled' }]);
  });

  it('an event that the filter leaves out does not count', async () => {
    const { ids } = await hook({ debounce, filter: { post: { current: { title: ['Hello'] } } } }, 'post.edited');
    const last = await event();
    await waitFor(20);
    await event('post.edited', 'Draft');
    await waitFor(10);
    expect(ids()).toEqual([last]);
  });
});
