/** A webhook with `debounce`: which events of a burst are delivered, and when, however their messages arrive. */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DeliveryMessage } from '../../shared/deliveries/delivery.ts';
import { type Debounce, noOptions } from '../../shared/webhooks/options-resource.ts';
import type { Webhook } from '../../shared/webhooks/webhook.ts';
import { awsInMemory } from '../support/aws-in-memory.ts';
import {
  answered,
  deliverySettings,
  iso,
  now,
  receiverInMemory,
  second,
  worldOf,
} from '../support/deliver-in-memory.ts';
import { settingsText } from '../support/settings-text.ts';
import { stopTime } from '../support/test-time.ts';

const aws = awsInMemory();
Object.assign(process.env, { ...aws.environment, SETTINGS: settingsText() });
const { deliverBatch } = await import('../../shared/deliveries/attempt/deliver.ts');
const { optionsKey } = await import('../../shared/webhooks/options-store.ts');
const { withHolders } = await import('../../shared/deliveries/records/windows.ts');

stopTime(now);
beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const { webhook: putWebhook, event: putEvent, message, stored } = worldOf(aws);

const setDebounce = (webhook: Webhook, debounce: Partial<Debounce>): void => {
  const rule: Debounce = { seconds: 30, max_seconds: 120, per: 'webhook', ...debounce };
  const stored = { webhook_id: webhook.id, revision: 'r1', options: JSON.stringify({ ...noOptions, debounce: rule }) };
  aws.put(optionsKey(webhook.id), stored);
};

const debounced = (debounce: Partial<Debounce> = {}): Webhook => {
  const webhook = putWebhook({ options_revision: 'r1' }, 1);
  setDebounce(webhook, debounce);
  return webhook;
};

interface Arrival {
  /** In epoch ms. */
  readonly at: number;
  readonly message: DeliveryMessage;
}

/** Returns the arrival of an event, accepted some seconds after the test began; without `late` it comes at once. */
const event = (webhook: Webhook, seconds: number, { late = 0, payload = {} } = {}): Arrival => {
  const created_at = iso(now + seconds * second);
  const changes = { created_at, ...payload };
  return {
    at: now + (seconds + late) * second,
    message: message(webhook, putEvent(changes), { created_at }),
  };
};

const ofPost = (id: string | number) => ({
  payload: { payload: JSON.stringify({ post: { current: { id }, previous: {} } }) },
});

/** SQS shows a message again after this time if a function did not process it. */
const hiddenMs = 40 * second;

/** Processes messages in order of time, and those that follow; returns the seconds and ids of what is posted. */
const run = async (arrivals: readonly Arrival[], status = 200) => {
  const queue = [...arrivals];
  const posts: { readonly seconds: number; readonly id: string }[] = [];
  const { sender } = receiverInMemory(({ headers }) => {
    posts.push({ seconds: (Date.now() - now) / second, id: headers['webhook-id'] ?? '' });
    return answered(status);
  });
  for (let steps = 0; queue.length > 0; steps++) {
    if (steps === 1000) throw new Error('The messages never end.');
    queue.sort((one, other) => one.at - other.at);
    const [next] = queue.splice(0, 1);
    if (next === undefined) break;
    vi.setSystemTime(Math.max(Date.now(), next.at));
    const [end] = await Promise.allSettled(
      deliverBatch({ sender, settings: deliverySettings }, [next.message], 'slow'),
    );
    if (end?.status === 'rejected') queue.push({ ...next, at: Date.now() + hiddenMs });
    for (const { body, delaySeconds = 0 } of aws.sent())
      queue.push({ at: Date.now() + delaySeconds * second, message: body as unknown as DeliveryMessage });
  }
  return posts;
};

const idOf = ({ message: { delivery_id } }: Arrival): string => delivery_id;
const last = <T>(list: readonly T[]): T => list.at(-1) as T;

/** Returns the status of each event's delivery, and what is shown as sent instead. */
const shown = async (arrivals: readonly Arrival[]) => {
  const deliveries = await withHolders(arrivals.map((one) => stored(one.message)));
  return deliveries.map(({ status, superseded_by }) => [status, superseded_by]);
};

describe('of a burst of events', () => {
  it('the last one is delivered, once nothing came for the seconds of the option, and the others show it', async () => {
    const webhook = debounced();
    const burst = [0, 10, 35, 50].map((seconds) => event(webhook, seconds));
    const sent = last(burst);
    expect(await run(burst)).toEqual([{ seconds: 80, id: idOf(sent) }]);
    expect(await shown(burst)).toEqual([
      ['superseded', idOf(sent)],
      ['superseded', idOf(sent)],
      ['superseded', idOf(sent)],
      ['delivered', null],
    ]);
  });

  it('that does not end, the newest one is delivered at the latest `max_seconds` after the first', async () => {
    const webhook = debounced({ seconds: 30, max_seconds: 60 });
    const burst = Array.from({ length: 15 }, (_, index) => event(webhook, 10 * index));
    expect(await run(burst)).toEqual(
      [60, 120, 170].map((seconds, window) => ({ seconds, id: idOf(burst[[5, 11, 14][window] ?? 0] as Arrival) })),
    );
  });

  it('the one with the higher id is delivered if two were accepted in the same millisecond', async () => {
    const webhook = debounced();
    const burst = [event(webhook, 0), event(webhook, 0), event(webhook, 0)];
    const highest = last(burst.map(idOf).sort());
    expect(await run(burst)).toMatchObject([{ id: highest }]);
  });

  it('one that arrives late is superseded by the newer one that waits', async () => {
    const webhook = debounced();
    const burst = [event(webhook, 0), event(webhook, 10, { late: 15 }), event(webhook, 20)];
    expect(await run(burst)).toEqual([{ seconds: 50, id: idOf(last(burst)) }]);
  });

  it('one that arrives days after the window has closed is superseded by what was sent', async () => {
    const webhook = debounced();
    const late = event(webhook, 10, { late: 7 * 24 * 3600 - 10 });
    const burst = [event(webhook, 0), late, event(webhook, 20)] as const;
    expect(await run([burst[0], burst[2]])).toHaveLength(1);
    // As DynamoDB does with what has expired.
    const window = { pk: `WEBHOOK#${webhook.id}`, sk: 'WINDOW#all#00000000' };
    if (aws.read(window).expires_at * second < late.at) aws.erase(window);
    expect(await run([late])).toEqual([]);
    expect(await shown(burst)).toEqual([
      ['superseded', idOf(last(burst))],
      ['superseded', idOf(last(burst))],
      ['delivered', null],
    ]);
  });

  it('the newest begins the next window if the last one has ended, also before its delivery is sent', async () => {
    const webhook = debounced();
    const [first, second, third] = [event(webhook, 0), event(webhook, 30), event(webhook, 40)];
    // The message of the first window's end is processed after the second event.
    expect(await run([first, second, third])).toEqual([
      { seconds: 30, id: idOf(first) },
      { seconds: 70, id: idOf(third) },
    ]);
  });

  it('each post has its own with `per: resource`, and events without an id share one', async () => {
    const webhook = debounced({ per: 'resource' });
    // Other publishers than Ghost number their posts.
    const ids = ['a', 1, 2, 'a', 1, 2];
    const burst = [...ids.map((id, index) => event(webhook, index, ofPost(id))), event(webhook, 6), event(webhook, 7)];
    const posts = await run(burst);
    expect(posts.map(({ id }) => id)).toEqual([3, 4, 5, 7].map((place) => idOf(burst[place] as Arrival)));
  });

  it('those of two posts share one with `per: webhook`', async () => {
    const webhook = debounced();
    const burst = [event(webhook, 0, ofPost('a')), event(webhook, 1, ofPost('b'))];
    expect(await run(burst)).toMatchObject([{ id: idOf(last(burst)) }]);
  });

  it('the last one is retried like any delivery, and no later window supersedes it', async () => {
    const webhook = debounced();
    const [first, later] = [event(webhook, 0), event(webhook, 32)];
    const posts = await run([first, later], 404);
    for (const one of [first, later]) expect(posts.filter(({ id }) => id === idOf(one)).length).toBeGreaterThan(2);
    // The rest of the schedule is the sweep's.
    expect(await shown([first, later])).toEqual([
      ['retrying', null],
      ['retrying', null],
    ]);
  });
});

describe('a ping, a redelivery and a replay', () => {
  it.each(['ping', 'redelivery', 'replay'] as const)('a %s is sent at once', async (trigger) => {
    const webhook = debounced();
    const { at, message: one } = event(webhook, 0);
    expect(await run([event(webhook, 0), { at, message: { ...one, trigger } }])).toMatchObject([
      { seconds: 0, id: one.delivery_id },
      { seconds: 30 },
    ]);
  });
});

describe('the last event of a burst is delivered', () => {
  /** Checks that no burst lacks its last event, and that what is shown as superseded was superseded by one sent. */
  const expectSent = async (burst: readonly Arrival[], posts: Awaited<ReturnType<typeof run>>) => {
    const sent = new Set(posts.map(({ id }) => id));
    expect(sent).toContain(last(burst.map(idOf).sort()));
    for (const [status, by] of await shown(burst))
      if (status !== 'delivered') expect([status, sent.has(String(by))]).toEqual(['superseded', true]);
  };

  const requests = [
    'BatchGetCommand',
    'QueryCommand',
    'PutCommand',
    'BatchWriteCommand',
    'SendMessageBatchCommand',
  ] as const;
  const mishaps = requests.flatMap((name) => [false, true].map((after) => [name, after] as const));

  it.each(mishaps)('if any %s fails, after it was carried out: %s', async (name, after) => {
    for (let [position, seen] = [0, 1]; seen > position; position++) {
      aws.clear();
      vi.setSystemTime(now);
      const webhook = debounced();
      const burst = [0, 5, 10].map((seconds) => event(webhook, seconds));
      seen = 0;
      let isOver = false;
      aws.before(name, () => {
        if (!isOver && seen++ === position) for (let tries = 0; tries < 3; tries++) aws.fail(name, { after });
      });
      const posts = await run(burst);
      isOver = true;
      await expectSent(burst, posts);
    }
  });

  it('also if its function was killed, and the next window has closed before its message is back', async () => {
    const webhook = debounced({ seconds: 10 });
    const [killed, later, last] = [event(webhook, 0), event(webhook, 11), event(webhook, 25)];
    aws.fail('SendMessageBatchCommand');
    expect(await run([killed, later, last])).toEqual([
      { seconds: 21, id: idOf(later) },
      { seconds: 35, id: idOf(last) },
      { seconds: 40, id: idOf(killed) },
    ]);
  });

  it('whatever comes twice, late or out of order', async () => {
    const anEvent = fc.record({
      seconds: fc.integer({ min: 0, max: 60 }),
      late: fc.constantFrom(0, 0, 0, 1, 20, 50, 200),
      again: fc.constantFrom(undefined, undefined, 0, 20, 45, 300),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(anEvent, { minLength: 1, maxLength: 6 }), async (events) => {
        aws.clear();
        vi.setSystemTime(now);
        const webhook = debounced({ seconds: 10, max_seconds: 30 });
        const burst = events.map(({ seconds, late }) => event(webhook, seconds, { late }));
        const twice = burst.flatMap((one, index) => {
          const { again } = events[index] ?? {};
          return again === undefined ? [] : [{ ...one, at: one.at + again * second }];
        });
        const posts = await run([...burst, ...twice]);
        await expectSent(burst, posts);
        expect(new Set(posts.map(({ id }) => id)).size).toBe(posts.length);
      }),
      { numRuns: 25 },
    );
  });
});
