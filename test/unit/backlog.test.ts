/** A receiver that works again gets what waited for it: soon, at a limited rate, and nothing before it asked to. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { WaitingMessage } from '../../shared/deliveries/backlog/message.ts';
import { type Delivery, type DeliveryMessage, newDelivery } from '../../shared/deliveries/delivery.ts';
import { deliveryKey, itemOf } from '../../shared/deliveries/records/row.ts';
import type { Caller } from '../../shared/foundation/caller.ts';
import type { DeliveryId, StaffId, WebhookId } from '../../shared/foundation/ids.ts';
import { guardKey } from '../../shared/webhooks/table-keys.ts';
import type { Webhook } from '../../shared/webhooks/webhook.ts';
import { awsInMemory } from '../support/aws-in-memory.ts';
import {
  answered,
  deliverySettings,
  healthyWebhook,
  iso,
  now,
  receiverInMemory,
  second,
  worldOf,
} from '../support/deliver-in-memory.ts';
import { settingsText } from '../support/settings-text.ts';
import { stopTime } from '../support/test-time.ts';

const aws = awsInMemory();
Object.assign(process.env, aws.environment, { SETTINGS: settingsText() });
const { deliverBatch } = await import('../../shared/deliveries/attempt/deliver.ts');
const { releaseWaiting } = await import('../../shared/deliveries/backlog/release.ts');
const { webhookStore } = await import('../../shared/webhooks/store.ts');
const { enableWebhook } = await import('../../shared/webhooks/status.ts');
const { noOptions } = await import('../../shared/webhooks/options-resource.ts');
const { optionsKey } = await import('../../shared/webhooks/options-store.ts');

stopTime(now);
beforeEach(() => {
  // The same worlds in each run.
  let seed = 1;
  vi.spyOn(Math, 'random').mockImplementation(() => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

const { webhook: putWebhook, event, message, next, stored, record } = worldOf(aws);
const minute = 60 * second;
const { retryAfterSeconds: schedule } = deliverySettings;
const day = 24 * 60 * minute;
const staff: Caller = {
  kind: 'staff',
  staffId: '5'.repeat(24) as StaffId,
  role: 'Owner',
  name: 'Ada',
  email: 'ada@example.com',
};

interface Post {
  readonly delivery: string;
  readonly at: number;
  readonly ok: boolean;
}

type Answer = ReturnType<typeof answered>;

interface Act {
  readonly at: number;
  readonly act: (webhook: Webhook) => Promise<unknown>;
}

/**
 * Publishes `count` events, one each quarter of a second, and runs to the end; `answer` is the receiver's at a time.
 * The sweep does not run, so every wait is the delay of a message.
 */
const live = async (
  count: number,
  answer: (ms: number, delivery: string) => Answer,
  forMs: number,
  { act, throttle }: { readonly act?: Act; readonly throttle?: object } = {},
): Promise<readonly Post[]> => {
  const webhook = putWebhook(throttle && { options_revision: 'r1' });
  const options = JSON.stringify({ ...noOptions, throttle });
  if (throttle) aws.put(optionsKey(webhook.id), { webhook_id: webhook.id, revision: 'r1', options });
  let planned = act;
  const posts: Post[] = [];
  const queue: { at: number; queue: string; body: object }[] = Array.from({ length: count }, (_, number) => {
    const at = now + number * 250;
    return { at, queue: 'deliveries', body: message(webhook, event(), { created_at: new Date(at).toISOString() }) };
  });
  const { sender } = receiverInMemory(({ headers }) => {
    const result = answer(Date.now() - now, headers['webhook-id'] ?? '');
    posts.push({ delivery: headers['webhook-id'] ?? '', at: Date.now() - now, ok: result.status < 300 });
    return result;
  });
  const process = async (due: readonly (typeof queue)[number][]) => {
    const of = (name: string) => due.filter((one) => one.queue === name).map(({ body }) => body);
    for (const body of of('replays')) await releaseWaiting(body as WaitingMessage);
    for (const [name, lane] of [
      ['deliveries', 'normal'],
      ['slow-deliveries', 'slow'],
    ] as const) {
      const messages = of(name) as DeliveryMessage[];
      for (let start = 0; start < messages.length; start += 10)
        await Promise.all(
          deliverBatch({ sender, settings: deliverySettings }, messages.slice(start, start + 10), lane),
        );
    }
  };
  for (;;) {
    queue.sort((one, other) => one.at - other.at);
    const next = queue[0]?.at ?? Number.POSITIVE_INFINITY;
    if (next > now + forMs) return posts;
    vi.setSystemTime(Math.max(next, Date.now()));
    if (planned !== undefined && Date.now() - now >= planned.at) {
      await planned.act(webhook);
      planned = undefined;
    }
    const due = queue.filter(({ at }) => at <= Date.now());
    queue.splice(0, due.length);
    await process(due);
    for (const sent of aws.sent())
      if (sent.queue !== 'mail')
        queue.push({ at: Date.now() + (sent.delaySeconds ?? 0) * second, queue: sent.queue, body: sent.body });
  }
};

/** Deliveries for more than two chunks of a release. */
const many = 45;

/** The time of each success, in ms after the first one. */
const successesAfterFirst = (posts: readonly Post[]) => {
  const times = posts.filter(({ ok }) => ok).map(({ at }) => at);
  const first = Math.min(...times);
  return times.map((at) => at - first).sort((one, other) => one - other);
};
const worksFrom =
  (ms: number) =>
  (at: number): Answer =>
    answered(at < ms ? 500 : 200);

describe('a receiver that was down for 20 seconds', () => {
  it('gets all of 80 deliveries, each once, within 15 seconds after its first success', async () => {
    const posts = await live(80, worksFrom(20 * second), 600 * second);
    const times = successesAfterFirst(posts);
    expect(times).toHaveLength(80);
    expect(times.at(-1)).toBeLessThanOrEqual(15 * second);
    // It is not flooded: it gets the probe, the first chunk, and what becomes due by itself.
    expect(times.filter((ms) => ms < second).length).toBeLessThanOrEqual(1 + 20 + 10);
  });

  it('gets them at the pace of its throttle, without a gap', async () => {
    const throttle = { requests: 10, per: 'minute' };
    const times = successesAfterFirst(await live(60, worksFrom(5 * second), 1200 * second, { throttle }));
    expect(times).toHaveLength(60);
    const gaps = times.map((at, place) => at - (times[place - 1] ?? 0));
    // Places are a minute and a tenth apart.
    expect(Math.max(...gaps)).toBeLessThan(70 * second);
  });

  it('gets nothing before the time that it asked for in `Retry-After`', async () => {
    const asksForTime = answered(500, { headers: { 'retry-after': '600' } });
    const posts = await live(8, (at) => (at < 2 * second ? asksForTime : answered(200)), 1200 * second);
    const first = new Map(posts.map(({ delivery, at, ok }) => [delivery, { at, ok }]));
    const asked = posts.filter(({ ok }) => !ok).map(({ delivery, at }) => ({ delivery, at }));
    expect(asked.length).toBeGreaterThan(3);
    for (const { delivery, at } of asked)
      expect((first.get(delivery)?.at ?? 0) - at).toBeGreaterThanOrEqual(600 * second);
  });

  it('gets nothing before that time even if the schedule is later, but soon after it', async () => {
    const tries = new Map<string, number>();
    const asked = new Map<string, number>();
    const posts = await live(
      8,
      (at, delivery) => {
        const number = (tries.get(delivery) ?? 0) + 1;
        tries.set(delivery, number);
        if (at >= 20 * second) return answered(200);
        // The third attempt is scheduled for five minutes later.
        if (number === 2) asked.set(delivery, at);
        return answered(500, number === 2 ? { headers: { 'retry-after': '120' } } : {});
      },
      300 * second,
    );
    expect(asked.size).toBeGreaterThan(0);
    for (const [delivery, at] of asked) {
      const waited = (posts.find((post) => post.delivery === delivery && post.ok)?.at ?? 0) - at;
      expect(waited).toBeGreaterThanOrEqual(120 * second);
      expect(waited).toBeLessThanOrEqual(160 * second);
    }
  });

  it.each([
    ['answers the first probe', (ok: number, refused: number) => ok === 0 && refused === 0],
    ['interrupts the release', (ok: number, refused: number) => ok === 10 && refused < 3],
  ])('gets what waited after a pause if a 429 %s', async (_, isRefused) => {
    let ok = 0;
    const refused = new Set<string>();
    const posts = await live(
      many,
      (at, delivery) => {
        if (at < 20 * second) return answered(500);
        if (isRefused(ok, refused.size)) {
          refused.add(delivery);
          return answered(429, { headers: { 'retry-after': '2' } });
        }
        ok++;
        return answered(200);
      },
      600 * second,
    );
    expect(refused.size).toBeGreaterThan(0);
    // A delivery that was refused keeps its own schedule.
    const times = successesAfterFirst(posts.filter(({ delivery }) => !refused.has(delivery)));
    expect(times).toHaveLength(many - refused.size);
    expect(times.at(-1)).toBeLessThanOrEqual(20 * second);
  });

  it('gets nothing after an answer that is no success, and everything after the first success', async () => {
    const released: number[] = [];
    const posts = await live(
      many,
      (at) => {
        released.push(...(record(healthyWebhook).releasing === undefined ? [] : [at]));
        return answered(at < 20 * second ? 500 : at < 60 * second ? 404 : 200);
      },
      600 * second,
    );
    const times = successesAfterFirst(posts);
    expect(Math.min(...released)).toBeGreaterThanOrEqual(60 * second);
    expect(times).toHaveLength(many);
    expect(times.at(-1)).toBeLessThanOrEqual(15 * second);
  });

  it.each([
    [
      'moves to a new target URL',
      async (webhook: Webhook) => {
        const before = await webhookStore.read(webhook.id);
        if (before === undefined) throw new Error('The webhook is gone.');
        aws.put(guardKey(before), { webhook_id: before.id });
        return webhookStore.replace(before, {
          ...before,
          target_url: 'https://new.example.com/',
          updated_at: iso(now),
        });
      },
    ],
    ['is enabled', (webhook: Webhook) => enableWebhook(webhook.id, staff)],
  ])('gets all of them after its first success if the webhook %s while the breaker is open', async (_, act) => {
    const posts = await live(many, worksFrom(20 * second), 600 * second, { act: { at: 20 * second, act } });
    const times = successesAfterFirst(posts);
    expect(times).toHaveLength(many);
    expect(times.at(-1)).toBeLessThanOrEqual(15 * second);
  });
});

describe('the release of what waits for a receiver', () => {
  it('stops if the receiver fails again', async () => {
    let ups = 0;
    // It answers one request after the first 20 seconds.
    const posts = await live(many, (at) => answered(at >= 20 * second && ups++ === 0 ? 200 : 500), 120 * second);
    // Five failures open the circuit breaker, and then only one probe at a time follows.
    const back = posts.find(({ ok }) => ok)?.at ?? 0;
    const wasted = posts.filter(({ at, ok }) => !ok && at > back).length;
    expect(wasted).toBeLessThanOrEqual(20 + 10);
  });

  it('leaves a delivery that fails again to its own schedule', async () => {
    const tries = new Map<string, number>();
    // A working receiver refuses one delivery: that is too few failures for the circuit breaker.
    let refused = '';
    const posts = await live(
      40,
      (at, delivery) => {
        tries.set(delivery, (tries.get(delivery) ?? 0) + 1);
        if (at < 10 * second) return answered(500);
        if (refused === '' && (tries.get(delivery) ?? 0) > 2) refused = delivery;
        return answered(delivery === refused ? 500 : 200);
      },
      60 * second,
    );
    const again = posts.filter(({ delivery, at }) => delivery === refused && at >= 10 * second);
    expect(refused).not.toBe('');
    expect(again).toHaveLength(1);
  });

  it('uses up the schedule of no delivery, however often the receiver fails again', async () => {
    let answers = -1;
    // Of each 20 seconds, it answers one request, until a quarter of an hour has passed.
    const posts = await live(
      20,
      (at) => {
        const [period, before] = [Math.floor(at / (20 * second)), answers];
        answers = period;
        return answered(at >= 15 * minute || period > before ? 200 : 500);
      },
      30 * minute,
    );
    const tries = Map.groupBy(posts, ({ delivery }) => delivery);
    const failed = [...tries.keys()].filter(
      (delivery) => aws.read(deliveryKey(healthyWebhook.id, delivery as DeliveryId))?.status === 'failed',
    );
    expect(failed).toEqual([]);
    expect(Math.max(...[...tries.values()].map(({ length }) => length))).toBeGreaterThan(schedule.length);
  });

  const putWaiting = (webhook: Webhook, changes: Partial<Delivery> = {}, createdAt = now - second) => {
    const one = message(webhook, event(), { created_at: iso(createdAt) });
    const { integration_id } = webhook;
    const waiting_for = { reason: 'circuit_breaker', until: null } as const;
    const delivery = { ...newDelivery(one, deliverySettings, now), integration_id, waiting_for, ...changes };
    const { pk: _, sk: _sk, ...item } = itemOf(delivery);
    aws.put(deliveryKey(webhook.id, one.delivery_id), item);
    return one;
  };
  const scheduled = (ms: number): Partial<Delivery> => ({
    status: 'retrying',
    next_attempt_at: iso(now + ms),
    waiting_for: { reason: 'schedule', until: iso(now + ms) },
    last_attempt_at: iso(now - second),
  });
  const releasing = (changes: Partial<Webhook> = {}) =>
    putWebhook({ releasing: iso(now), backlog: true, due_at: iso(now + 5 * minute), ...changes });
  const release = { waiting: healthyWebhook.id, releasing: iso(now) };
  const inQueue = (name: string) => aws.sent().filter(({ queue }) => queue === name);
  const nextRun = () => inQueue('replays')[0]?.body as unknown as WaitingMessage;

  it('leaves alone what another message advances meanwhile, and what comes soon by itself', async () => {
    const webhook = releasing();
    const [waiting, soon] = [putWaiting(webhook, scheduled(10_001)), putWaiting(webhook, scheduled(10_000))];
    const item = deliveryKey(webhook.id, waiting.delivery_id);
    aws.before('PutCommand', () => aws.change(item, { status: 'delivered' }), 1);
    await releaseWaiting(release);
    const sent = inQueue('slow-deliveries');
    expect(sent).toMatchObject([{ body: { delivery_id: waiting.delivery_id, waits: 1, next_attempt_at: iso(now) } }]);
    expect(stored(waiting)).toMatchObject({ status: 'delivered' });
    expect(stored(soon)).toMatchObject({ waits: 0 });
  });

  it('makes the delayed message of a delivery void, so that only one request runs', async () => {
    const one = putWaiting(releasing(), scheduled(5 * minute));
    const delayed = next(one);
    await releaseWaiting(release);
    vi.setSystemTime(now + 5 * minute);
    const { sender, requests } = receiverInMemory(() => answered(200));
    const messages = [delayed, ...inQueue('slow-deliveries').map(({ body }) => body as unknown as DeliveryMessage)];
    for (const message of messages)
      await Promise.all(deliverBatch({ sender, settings: deliverySettings }, [message], 'slow'));
    expect(requests).toHaveLength(1);
    expect(stored(one)).toMatchObject({ status: 'delivered' });
  });

  it('begins with the oldest 20, and doubles its chunk each second', async () => {
    const webhook = releasing();
    const ids = Array.from({ length: 70 }, (_, at) => putWaiting(webhook, {}, now - second + at).delivery_id);
    await releaseWaiting(release);
    expect(inQueue('slow-deliveries').map(({ body }) => body.delivery_id)).toEqual(ids.slice(0, 20));
    await releaseWaiting({ ...release, after: ids[19] as DeliveryId, size: 40 });
    const sent = aws.sent();
    expect(sent.filter(({ queue }) => queue === 'slow-deliveries')).toHaveLength(40);
    expect(sent.find(({ queue }) => queue === 'replays')).toMatchObject({
      body: { ...release, after: ids[59], size: 80 },
      delaySeconds: 1,
    });
  });

  it('moves a delivery to the time that its receiver asked for, if its schedule is later', async () => {
    const webhook = releasing();
    const [past, soon, later] = [-second, minute, 720 * minute].map((ms) =>
      putWaiting(webhook, { ...scheduled(840 * minute), asked_until: iso(now + ms) }),
    ) as [DeliveryMessage, DeliveryMessage, DeliveryMessage];
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    await releaseWaiting(release);
    const sent = inQueue('slow-deliveries');
    expect(new Map(sent.map(({ body, delaySeconds }) => [body.delivery_id, delaySeconds]))).toEqual(
      new Map([
        [past.delivery_id, undefined],
        [soon.delivery_id, 75],
      ]),
    );
    // Too far away for a message: it is due for the sweep.
    const next = iso(now + 720 * minute + 15 * second);
    expect(stored(later)).toMatchObject({
      next_attempt_at: next,
      due_at: next,
      waiting_for: { reason: 'retry_after', until: iso(now + 720 * minute) },
    });
  });

  it('continues after a pause that the receiver asks for, and is due for the sweep only later', async () => {
    const webhook = releasing({ health: { not_before: now + 15 * minute } });
    putWaiting(webhook);
    await releaseWaiting({ ...release, size: 40 });
    expect(aws.sent()).toMatchObject([{ queue: 'replays', body: { ...release, size: 40 }, delaySeconds: 900 }]);
    expect(record(webhook)).toMatchObject({ releasing: iso(now), due_at: iso(now + 20 * minute) });
  });

  it('ends after a last pass a minute later, which finds what began to wait meanwhile', async () => {
    const webhook = releasing();
    await releaseWaiting(release);
    const [last] = inQueue('replays');
    expect(last).toMatchObject({ delaySeconds: 60 });
    const straggler = putWaiting(webhook);
    await releaseWaiting(last?.body as unknown as WaitingMessage);
    expect(inQueue('slow-deliveries')).toMatchObject([{ body: { delivery_id: straggler.delivery_id } }]);
    for (const attribute of ['releasing', 'backlog', 'due', 'due_at'])
      expect(record(webhook)).not.toHaveProperty(attribute);
  });

  it('postpones the sweep while it runs', async () => {
    const webhook = releasing();
    for (let number = 0; number < 21; number++) putWaiting(webhook, {}, now - second + number);
    vi.setSystemTime(now + 4 * minute);
    await releaseWaiting(release);
    expect(nextRun()).toMatchObject({ size: 40 });
    expect(record(webhook)).toMatchObject({ due_at: iso(now + 9 * minute + second) });
  });

  it.each([
    ['was broken off', { due_at: iso(now + minute) }],
    ['was replaced by another one', { releasing: iso(now + minute), due_at: iso(now + minute) }],
    ['has ended', {}],
  ])('sends nothing if it %s', async (_, changes) => {
    const webhook = putWebhook(changes);
    putWaiting(webhook);
    await releaseWaiting(release);
    expect(aws.sent()).toEqual([]);
    expect(record(webhook)).toEqual(webhook);
  });

  it('sends nothing if the webhook was deleted', async () => {
    await releaseWaiting({ ...release, waiting: 'f'.repeat(24) as WebhookId });
    expect(aws.sent()).toEqual([]);
  });

  describe('before the first success', () => {
    const look = { waiting: healthyWebhook.id };
    const broken = (changes: Partial<Webhook> = {}) =>
      putWebhook({ health: { openings: 1, open_until: now }, due_at: iso(now + minute), ...changes });

    it('sends the oldest delivery as a probe, but none that waits for its schedule', async () => {
      const webhook = broken();
      putWaiting(webhook, scheduled(5 * minute), now - 3 * second);
      const oldest = putWaiting(webhook, {}, now - 2 * second);
      putWaiting(webhook);
      await releaseWaiting(look);
      expect(aws.sent()).toMatchObject([{ queue: 'slow-deliveries', body: { delivery_id: oldest.delivery_id } }]);
      expect(record(webhook)).toMatchObject({ due_at: iso(now + minute) });
    });

    it('ends what is older than seven days, and probes with the oldest that is not', async () => {
      const webhook = broken();
      const old = putWaiting(webhook, {}, now - 7 * day - second);
      const oldest = putWaiting(webhook, {}, now - 2 * second);
      putWaiting(webhook);
      await releaseWaiting(look);
      const messages = inQueue('slow-deliveries').map(({ body }) => body as unknown as DeliveryMessage);
      const { sender, requests } = receiverInMemory(() => answered(200));
      await Promise.all(deliverBatch({ sender, settings: deliverySettings }, messages, 'slow'));
      expect(requests.map(({ headers }) => headers['webhook-id'])).toEqual([oldest.delivery_id]);
      expect(stored(old)).toMatchObject({ status: 'failed', last_error: 'expired' });
    });

    it('sends nothing while the circuit breaker is open', async () => {
      putWaiting(broken({ health: { openings: 1, open_until: now + second } }));
      await releaseWaiting({ ...look, isLast: true });
      expect(aws.sent()).toEqual([]);
    });

    it('leaves the webhook due if nothing waits yet, until the sweep finds nothing either', async () => {
      const webhook = broken();
      await releaseWaiting(look);
      expect(record(webhook)).toHaveProperty('due_at');
      await releaseWaiting({ ...look, isLast: true });
      expect(record(webhook)).not.toHaveProperty('due_at');
    });

    it.each([
      ['staff have disabled', 'staff', undefined],
      ['its receiver has declined, which is due again when it is deleted', 'receiver', iso(now + 30 * day)],
    ] as const)('sends everything of a webhook that %s, to be held', async (_, disabled_for, due_at) => {
      const declined_at = disabled_for === 'receiver' ? { declined_at: iso(now) } : {};
      const webhook = broken({ status: 'disabled', disabled_for, ...declined_at, updated_at: iso(now) });
      const one = putWaiting(webhook);
      putWaiting(webhook);
      await releaseWaiting({ ...look, isLast: true });
      const sent = inQueue('slow-deliveries');
      expect(sent).toHaveLength(2);
      expect(record(webhook).due_at).toBe(due_at);
      const { sender } = receiverInMemory(() => answered(200));
      const messages = sent.map(({ body }) => body as unknown as DeliveryMessage);
      await Promise.all(deliverBatch({ sender, settings: deliverySettings }, messages, 'slow'));
      expect(stored(one)).toMatchObject({ status: 'held', waiting_for: { reason: 'disabled', until: null } });
    });
  });
});
