/** A throttled webhook gets no more requests in any second or minute than it allows, from any cause; the rest waits. */
import { describe, expect, it } from 'vitest';
import { deliveryTools } from '../support/deliveries.ts';
import { freshStack } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';
import { stopTime } from '../support/test-time.ts';
import { webhookCalls } from '../support/webhooks.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { webhook, publish, next, rows } = deliveryTools(stack, keys);
const { update } = webhookCalls(stack);
const { pass, opened } = stopTime();
const second = 1000;
const minute = 60 * second;

const throttled = async (throttle: object | null, { status = 200, event = 'post.published' } = {}) => {
  const behaviour = { status };
  const receiver = opened(
    await receiveWebhooks((response) => {
      response.writeHead(behaviour.status);
      response.end();
    }),
  );
  const { id, target_url } = await webhook(`${receiver.origin}/hook`, { event, options: { throttle } });
  const path = `/admin/webhooks/${id}/`;
  return {
    id,
    target_url,
    path,
    behaviour,
    arrived: receiver.deliveries,
    waiting: async () => (await rows(id)).filter(({ waiting_for }) => waiting_for?.reason === 'throttle'),
    shown: async () =>
      (await stack.call('deliveries/list', { path: `${path}deliveries/`, key: keys.integration })).body.deliveries,
  };
};

const publishMany = async (event: string, count: number): Promise<void> => {
  for (let made = 0; made < count; made++) await publish(event);
  await stack.drain('events');
  await stack.drain('deliveries');
};

describe('a throttle of two requests a minute', () => {
  it('sends two of five events, and the others wait for their turn, which they name', async () => {
    const hook = await throttled({ requests: 2, per: 'minute' }, { event: 'tag.added' });
    await publishMany('tag.added', 5);
    expect(hook.arrived).toHaveLength(2);
    const waiting = (await hook.shown()).filter(({ status }: { status: string }) => status === 'pending');
    expect(waiting).toHaveLength(3);
    for (const { waiting_for, next_attempt_at } of waiting)
      expect(waiting_for).toEqual({ reason: 'throttle', until: next_attempt_at });
  });

  it('sends those that wait when it is their turn, two in any minute, until all have arrived', async () => {
    const hook = await throttled({ requests: 2, per: 'minute' }, { event: 'tag.edited' });
    await publishMany('tag.edited', 5);
    const times = hook.arrived.map(() => Date.now());
    for (let rounds = 0; rounds < 10; rounds++) {
      const [first] = (await hook.waiting()).toSorted((one, other) =>
        String(one.next_attempt_at).localeCompare(String(other.next_attempt_at)),
      );
      if (first === undefined) break;
      pass(Date.parse(first.next_attempt_at ?? '') - Date.now());
      await stack.work('slow-deliveries', [
        await next({ ...first, webhook_id: hook.id, delivery_id: first.id } as never),
      ]);
      times.push(...hook.arrived.slice(times.length).map(() => Date.now()));
    }
    expect(times).toHaveLength(5);
    for (const [position, time] of times.entries())
      expect((times[position + 2] ?? Number.POSITIVE_INFINITY) - time).toBeGreaterThanOrEqual(minute);
  });

  it('keeps the turn of what waits for hours exact to the second, although the sweep is not', async () => {
    const hook = await throttled({ requests: 1, per: 'minute' }, { event: 'tag.deleted' });
    await publishMany('tag.deleted', 30);
    const last = (await hook.waiting())
      .toSorted((one, other) => String(one.waiting_for?.until).localeCompare(String(other.waiting_for?.until)))
      .at(-1);
    const until = Date.parse(last?.waiting_for?.until ?? '');
    expect(until - Date.now()).toBeGreaterThan(29 * minute);
    pass(Date.parse(last?.due_at ?? '') - Date.now());
    await stack.invoke('due/sweep', {});
    await stack.drain('slow-deliveries');
    const [{ next_attempt_at, waiting_for }] = (await hook.shown()).filter(({ id }: { id: string }) => id === last?.id);
    expect([next_attempt_at, waiting_for.until]).toEqual([last?.waiting_for?.until, last?.waiting_for?.until]);
  });

  it('holds what would have to wait for longer than seven days after its event', async () => {
    const hook = await throttled({ requests: 1, per: 'minute' }, { event: 'post.deleted' });
    await publishMany('post.deleted', 2);
    const [waits] = await hook.waiting();
    const accepted = Date.parse(waits?.created_at ?? '');
    pass(accepted + 7 * 24 * 60 * minute - Date.now() - minute / 2);
    // It takes the place of this minute.
    await publishMany('post.deleted', 1);
    await stack.work('slow-deliveries', [await next({ webhook_id: hook.id, delivery_id: waits?.id } as never)]);
    expect(hook.arrived).toHaveLength(2);
    const held = (await hook.shown()).filter(({ id }: { id: string }) => id === waits?.id);
    expect(held).toMatchObject([{ status: 'held', attempts: 0, waiting_for: { reason: 'throttle', until: null } }]);
  });

  const release = async (): Promise<void> => {
    pass(second);
    await stack.invoke('due/sweep', {});
    await stack.drain('replays');
    await stack.drain('slow-deliveries');
  };

  it('lets what waits go sooner when it is raised or removed', async () => {
    const hook = await throttled({ requests: 1, per: 'minute' }, { event: 'member.edited' });
    await publishMany('member.edited', 5);
    await stack.take('slow-deliveries');
    const path = `${hook.path}options/`;
    const put = (throttle: object | null) =>
      stack.call('webhooks/update-options', { path, key: keys.integration, body: { options: [{ throttle }] } });
    expect((await put({ requests: 3, per: 'minute' })).status).toBe(200);
    await release();
    expect(hook.arrived).toHaveLength(1 + 3);
    await stack.take('slow-deliveries');
    await stack.take('replays');
    expect((await put(null)).status).toBe(200);
    await release();
    expect(hook.arrived).toHaveLength(5);
  });

  it('lets what waits go sooner when it is removed together with a new target', async () => {
    const hook = await throttled({ requests: 1, per: 'minute' }, { event: 'page.edited' });
    await publishMany('page.edited', 5);
    await stack.take('slow-deliveries');
    const moved = { target_url: `${hook.target_url}?moved`, options: { throttle: null } };
    expect((await update(hook.id, moved, keys.integration)).status).toBe(200);
    await release();
    expect(hook.arrived).toHaveLength(5);
  });

  it('begins anew if it is set again after it was removed, and nothing waits any more', async () => {
    const throttle = { requests: 1, per: 'minute' };
    const hook = await throttled(throttle, { event: 'page.published' });
    await publishMany('page.published', 5);
    await stack.take('slow-deliveries');
    expect((await update(hook.id, { options: { throttle: null } }, keys.integration)).status).toBe(200);
    await release();
    expect(hook.arrived).toHaveLength(5);
    expect((await update(hook.id, { options: { throttle } }, keys.integration)).status).toBe(200);
    await publishMany('page.published', 1);
    expect(hook.arrived).toHaveLength(6);
  });

  it('lets nothing wait behind deliveries that are not sent any more', async () => {
    const hook = await throttled({ requests: 1, per: 'minute' }, { event: 'page.scheduled,page.unscheduled' });
    await publishMany('page.scheduled', 30);
    await stack.take('slow-deliveries');
    expect((await update(hook.id, { event: 'page.unscheduled' }, keys.integration)).status).toBe(200);
    pass(5 * minute);
    await publishMany('page.unscheduled', 1);
    expect(hook.arrived).toHaveLength(2);
  });

  it('counts pings, redeliveries and retries like first attempts', async () => {
    const hook = await throttled({ requests: 2, per: 'minute' }, { event: 'page.added', status: 404 });
    await publishMany('page.added', 1);
    await stack.call('webhooks/ping', { path: `${hook.path}ping/`, key: keys.integration });
    await stack.drain('slow-deliveries');
    await stack.drain('deliveries');
    expect(hook.arrived).toHaveLength(2);
    const delivery = (await rows(hook.id)).find(({ trigger }) => trigger === 'event');
    const redeliver = `${hook.path}deliveries/${delivery?.id}/redeliver/`;
    expect((await stack.call('deliveries/redeliver', { path: redeliver, key: keys.integration })).status).toBe(202);
    await stack.call('webhooks/ping', { path: `${hook.path}ping/`, key: keys.integration });
    pass(6 * second);
    await stack.work('slow-deliveries', [await next({ webhook_id: hook.id, delivery_id: delivery?.id } as never)]);
    await stack.drain('slow-deliveries');
    await stack.drain('deliveries');
    expect(hook.arrived).toHaveLength(2);
    const triggers = (await hook.waiting()).map(({ trigger }) => trigger);
    expect(triggers.toSorted()).toEqual(['event', 'ping', 'redelivery']);
  });

  it('sends a ping at the next free place, before those that wait', async () => {
    const hook = await throttled({ requests: 1, per: 'minute' }, { event: 'member.added' });
    await publishMany('member.added', 3);
    await stack.take('slow-deliveries');
    pass(1.2 * minute);
    await stack.call('webhooks/ping', { path: `${hook.path}ping/`, key: keys.integration });
    await stack.drain('slow-deliveries');
    await stack.drain('deliveries');
    expect(hook.arrived.map(({ headers }) => headers['masthead-trigger'])).toEqual(['event', 'ping']);
  });

  it('lasts if a function is stopped after its posts: what it repeats waits as well', async () => {
    const hook = await throttled({ requests: 1, per: 'minute' }, { event: 'page.deleted' });
    await publish('page.deleted');
    await stack.drain('events');
    const messages = (await stack.take('deliveries')).map(({ body }) => body);
    stack.faults.set({ faults: [{ fault: 'error', function: 'deliveries/deliver', action: 'BatchWriteItem' }] });
    await stack.work('deliveries', messages);
    stack.faults.set({ faults: [] });
    expect(hook.arrived).toHaveLength(1);
    await stack.work('deliveries', messages);
    expect(hook.arrived).toHaveLength(1);
    expect(await hook.waiting()).toHaveLength(1);
  });
});
