/** A receiver that works again gets what waited for it: soon, at a limited rate, and nothing before the time that it asked for. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Delivery, type DeliveryMessage, newDelivery } from '../../shared/deliveries/delivery.ts';
import { deliveryKey } from '../../shared/deliveries/records/row.ts';
import type { RecoveryMessage } from '../../shared/deliveries/recovery/message.ts';
import type { Caller } from '../../shared/foundation/caller.ts';
import type { StaffId, WebhookId } from '../../shared/foundation/ids.ts';
import { guardKey, webhookKey } from '../../shared/webhooks/table-keys.ts';
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
import { eventual } from '../support/eventual.ts';
import { settingsText } from '../support/settings-text.ts';
import { stopTime } from '../support/test-time.ts';

const aws = awsInMemory();
Object.assign(process.env, aws.environment, { SETTINGS: settingsText() });
const { deliverBatch } = await import('../../shared/deliveries/attempt/deliver.ts');
const { releaseWaiting } = await import('../../shared/deliveries/recovery/release.ts');
const { webhookStore } = await import('../../shared/webhooks/store.ts');
const { enableWebhook } = await import('../../shared/webhooks/status.ts');

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

const { webhook: putWebhook, event, message, stored, record } = worldOf(aws);
const minute = 60 * second;
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

/** An action of a person, and its time in ms. */
interface Act {
  readonly at: number;
  readonly act: (webhook: Webhook) => Promise<unknown>;
}

/**
 * Publishes `count` events, one each quarter of a second, and runs until the end; `answer` is what the receiver answers at a time. The sweep does not
 * run, so every wait is the delay of a message.
 */
const live = async (
  count: number,
  answer: (ms: number, delivery: string) => Answer,
  forMs: number,
  act?: Act,
): Promise<readonly Post[]> => {
  const webhook = putWebhook();
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
    for (const body of of('replays')) await releaseWaiting(body as RecoveryMessage);
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
        released.push(...(record(healthyWebhook).recovering === undefined ? [] : [at]));
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
    const posts = await live(many, worksFrom(20 * second), 600 * second, { at: 20 * second, act });
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

  it('leaves alone what another message advances meanwhile, and what comes soon by itself', async () => {
    const webhook = putWebhook({ recovering: iso(now), backlog: true });
    const due = (ms: number) => ({ next_attempt_at: iso(now + ms), last_attempt_at: iso(now - second) });
    const [waiting, soon] = [putWaiting(webhook, due(10_001)), putWaiting(webhook, due(10_000))];
    const item = deliveryKey(webhook.id, waiting.delivery_id);
    aws.before('PutCommand', () => aws.change(item, { status: 'delivered' }), 1);
    await releaseWaiting({ recovered: webhook.id, recovered_at: now });
    const sent = aws.sent().filter(({ queue }) => queue === 'slow-deliveries');
    expect(sent).toMatchObject([{ body: { delivery_id: waiting.delivery_id, waits: 1, next_attempt_at: iso(now) } }]);
    expect(stored(waiting)).toMatchObject({ status: 'delivered' });
    expect(stored(soon)).toMatchObject({ waits: 0 });
  });

  it('doubles its chunk once half of the last one is processed, and otherwise halves it', async () => {
    const webhook = putWebhook({ recovering: iso(now), backlog: true });
    const waiting = Array.from({ length: 401 }, (_, number) => {
      const one = message(webhook, event(), { created_at: new Date(now - 1000 + number).toISOString() });
      const until = new Date(now + 300 * second).toISOString();
      aws.put(
        { pk: `WEBHOOK#${webhook.id}`, sk: `DELIVERY#${one.delivery_id}` },
        {
          ...newDelivery(one, deliverySettings, now),
          next_attempt_at: until,
          waiting_for: { reason: 'schedule', until },
        },
      );
      return one.delivery_id;
    });
    const recovery = () => aws.sent().find(({ queue }) => queue === 'replays')?.body as unknown as RecoveryMessage;
    await releaseWaiting({ recovered: webhook.id, recovered_at: now, size: 200 });
    const next = recovery();
    // A sample of the whole chunk shows how much of it is left.
    expect(next).toMatchObject({ size: 400, after: waiting[199] });
    expect(next.sample).toEqual(waiting.slice(0, 200).filter((_, position) => position % 2 === 0));
    // Of the first half of the chunk, all but one sampled delivery is processed.
    for (const id of waiting.slice(0, 98))
      aws.change({ pk: `WEBHOOK#${webhook.id}`, sk: `DELIVERY#${id}` }, { status: 'delivered' });
    await releaseWaiting(next);
    expect(recovery()).toEqual({ ...next, size: 200 });
    await releaseWaiting({ ...next, size: 30 });
    expect(recovery()).toMatchObject({ size: 20 });
    for (const id of waiting.slice(98, 100))
      aws.change({ pk: `WEBHOOK#${webhook.id}`, sk: `DELIVERY#${id}` }, { status: 'delivered' });
    await releaseWaiting(next);
    expect(recovery()).toMatchObject({ isSecond: true });
  });

  /** Stores a delivery whose schedule makes it wait for five minutes. */
  const putWaiting = (webhook: Webhook, changes: Partial<Delivery> = {}) => {
    const one = message(webhook, event());
    const until = iso(now + 5 * minute);
    const waiting_for = { reason: 'schedule', until } as const;
    const delivery = { ...newDelivery(one, deliverySettings, now), next_attempt_at: until, waiting_for, ...changes };
    aws.put({ pk: `WEBHOOK#${webhook.id}`, sk: `DELIVERY#${one.delivery_id}` }, delivery);
    return one;
  };

  it('moves a delivery to the time that its receiver asked for, if its schedule is later', async () => {
    const webhook = putWebhook({ recovering: iso(now), backlog: true });
    const scheduled = { next_attempt_at: iso(now + 840 * minute) };
    const [past, soon, later] = [-second, minute, 720 * minute].map((ms) =>
      putWaiting(webhook, { ...scheduled, asked_until: iso(now + ms) }),
    ) as [DeliveryMessage, DeliveryMessage, DeliveryMessage];
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    await releaseWaiting({ recovered: webhook.id, recovered_at: now });
    const sent = aws.sent().filter(({ queue }) => queue === 'slow-deliveries');
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

  it('makes the delayed message of the delivery void, so that only one request runs', async () => {
    const webhook = putWebhook({ health: { openings: 1, open_until: now + 20 * second }, backlog: true });
    const one = message(webhook, event());
    const answers: (() => void)[] = [];
    const { sender, requests } = receiverInMemory(
      () => new Promise((resolve) => answers.push(() => resolve(answered(200)))),
    );
    const deliver = (messages: readonly object[]) =>
      Promise.all(deliverBatch({ sender, settings: deliverySettings }, messages as readonly DeliveryMessage[], 'slow'));
    const sentToLane = () => aws.sent().flatMap(({ queue, body }) => (queue === 'slow-deliveries' ? [body] : []));
    await deliver([one]);
    const delayed = sentToLane();
    aws.change(webhookKey(webhook.id), { health: undefined, recovering: iso(now + second) });
    vi.setSystemTime(now + second);
    await releaseWaiting({ recovered: webhook.id, recovered_at: now + second });
    const delivering = deliver(sentToLane());
    await eventual(() => expect(requests).toHaveLength(1));
    vi.setSystemTime(now + 40 * second);
    await deliver(delayed);
    expect(delayed).toHaveLength(1);
    expect(requests).toHaveLength(1);
    for (const answer of answers) answer();
    await delivering;
    expect(stored(one)).toMatchObject({ status: 'delivered', attempts: 1 });
  });

  it('continues after a pause that the receiver asks for, and is due for the sweep only later', async () => {
    const webhook = putWebhook({ recovering: iso(now), backlog: true, health: { not_before: now + 15 * minute } });
    putWaiting(webhook);
    const running = { recovered: webhook.id, recovered_at: now, size: 40 };
    await releaseWaiting(running);
    expect(aws.sent()).toMatchObject([{ queue: 'replays', body: running, delaySeconds: 900 }]);
    expect(record(webhook)).toMatchObject({ recovering: iso(now), due_at: iso(now + 20 * minute) });
  });

  it('is due for the sweep until it has ended', async () => {
    const webhook = putWebhook({ recovering: iso(now), backlog: true, due_at: iso(now + 5 * minute) });
    aws.change(webhookKey(webhook.id), { due: 'DUE#1' });
    for (let number = 0; number < 21; number++) putWaiting(webhook);
    const recovery = () => aws.sent().find(({ queue }) => queue === 'replays')?.body as unknown as RecoveryMessage;
    await releaseWaiting({ recovered: webhook.id, recovered_at: now });
    expect(record(webhook)).toMatchObject({ recovering: iso(now), due_at: iso(now + 5 * minute) });
    // A run moves the time before the sweep sends another message.
    vi.setSystemTime(now + 4 * minute);
    await releaseWaiting({ ...recovery(), sample: [] });
    const secondPass = recovery();
    expect(record(webhook)).toMatchObject({ due_at: iso(now + 9 * minute + 5 * second) });
    await releaseWaiting(secondPass);
    expect(recovery()).toBeUndefined();
    for (const attribute of ['recovering', 'backlog', 'due', 'due_at'])
      expect(record(webhook)).not.toHaveProperty(attribute);
  });

  it.each([
    ['was broken off', {}],
    ['was replaced by another one', { recovering: iso(now + minute) }],
  ])('sends nothing if it %s', async (_, changes) => {
    const webhook = putWebhook({ backlog: true, ...changes });
    putWaiting(webhook);
    await releaseWaiting({ recovered: webhook.id, recovered_at: now });
    expect(aws.sent()).toEqual([]);
    expect(record(webhook)).toEqual(webhook);
  });

  it('sends nothing if the webhook was deleted', async () => {
    await releaseWaiting({ recovered: 'f'.repeat(24) as WebhookId, recovered_at: now });
    expect(aws.sent()).toEqual([]);
  });
});
