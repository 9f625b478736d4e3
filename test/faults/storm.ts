/**
 * Deliveries in bad weather: runs that die at a random point, doubled messages, a throttled table, queues that take only some of a
 * batch, and receivers that fail for a while. Counts what was lost and what was delivered again after a recorded success.
 */

import { deliveryId } from '../../shared/deliveries/delivery.ts';
import { bodyHash } from '../../shared/events/event.ts';
import type { Webhook } from '../../shared/webhooks/webhook.ts';
import { counted, weather } from '../support/simulation/call.ts';
import { itemsOf, observer } from '../support/simulation/dynamodb.ts';
import { addWebhook, publish, startEngine } from '../support/simulation/engine.ts';
import { fate, redrive, runs } from '../support/simulation/lambda.ts';
import { arrivals, type Behaviour, receivers } from '../support/simulation/receivers.ts';
import { makeWorld, type World } from '../support/simulation/world.ts';

export interface StormOptions {
  readonly seed: number;
  readonly deliveries: number;
  /** Shares from 0 to 1. */
  readonly killed: number;
  readonly doubled: number;
  readonly throttled: number;
  /** Share of receivers that fail for a while. */
  readonly failing: number;
  /** For so many minutes the table takes nothing at all: longer than messages live before they are dead. */
  readonly outageMinutes: number;
}

export interface StormReport {
  readonly deliveries: number;
  /** Not delivered in the end, though every receiver worked again in time. */
  readonly lost: number;
  /** Posted by a run that began after the success was recorded. */
  readonly again: number;
  /** Posted by a run that had begun before. */
  readonly raced: number;
  readonly posts: number;
  readonly runs: number;
  readonly killed: number;
  readonly doubled: number;
  readonly throttled: number;
  readonly partlyTaken: number;
  readonly redriven: number;
  /** Simulated time until the last was delivered. */
  readonly hours: number;
  readonly examples: readonly string[];
}

const subscribers = 20;
const hosts = 50;
const minute = 60_000;
const hour = 60 * minute;
const queues = ['events', 'deliveries', 'slow-deliveries', 'mail'];

let start = Date.parse('2026-11-01T00:00:00Z');

/** Runs it to its end. */
export async function storm(options: StormOptions): Promise<StormReport> {
  // Each storm after the one before: what functions remember must not lie in the future.
  start += 30 * 24 * hour;
  const world = makeWorld(options.seed, start);
  const began = world.now;
  await startEngine({
    stage: 'simulated',
    publication: { name: 'Simulated', url: 'https://simulated.example' },
    mail: { from: 'desk@simulated.example' },
  });
  const events = Math.ceil(options.deliveries / subscribers);
  const hooks: Webhook[] = [];
  for (let number = 0; number < subscribers * 5; number++)
    hooks.push(await addWebhook(names[number % 5] ?? '', `https://host${number % hosts}.example/hook/${number}`));
  // All is well until here: what was accepted is what counts.
  Object.assign(weather, { callMs: [1, 8], throttled: options.throttled, partlyTaken: options.throttled });
  Object.assign(fate, { killed: options.killed, doubled: options.doubled });
  const publishingMs = Math.max(10 * minute, events * 200);
  receivers.behave = badDays(world, began, publishingMs, options.failing);
  const recorded = recordSuccesses(world);
  world.after(publishingMs / 2, () => {
    weather.throttled = options.outageMinutes > 0 ? 1 : options.throttled;
  });
  world.after(publishingMs / 2 + options.outageMinutes * minute, () => {
    weather.throttled = options.throttled;
  });

  const expected: { id: string; pk: string }[] = [];
  for (let number = 0; number < events; number++)
    world.after(world.random() * publishingMs, () => {
      const name = names[number % 5] ?? '';
      const { id, acceptedAt } = publish(name, `e${number}`);
      const hash = bodyHash('simulation', id);
      for (const hook of hooks)
        if (hook.event === name) expected.push({ id: deliveryId(acceptedAt, hash, hook.id), pk: `WEBHOOK#${hook.id}` });
    });

  let redriven = 0;
  for (;;) {
    // What has not arrived by then never will.
    await world.live(() => world.now > began + 12 * 24 * hour);
    const back = redrive(queues);
    redriven += back;
    if (back === 0) break;
  }
  const status = new Map<unknown, unknown>();
  for (const hook of hooks) for (const item of itemsOf(`WEBHOOK#${hook.id}`)) status.set(item.id, item.status);
  const lost = expected.filter(({ id }) => status.get(id) !== 'delivered');
  const late = expected.flatMap(({ id }) =>
    (arrivals.get(id) ?? [])
      .filter(({ at }) => at > (recorded.get(id) ?? Number.POSITIVE_INFINITY))
      .map((arrival) => ({ id, arrival })),
  );
  const again = late.filter(({ id, arrival }) => arrival.runStartedAt > (recorded.get(id) ?? 0));
  return {
    deliveries: expected.length,
    lost: lost.length,
    again: again.length,
    raced: late.length - again.length,
    posts: [...arrivals.values()].reduce((sum, { length }) => sum + length, 0),
    runs: runs.begun,
    killed: runs.killed,
    doubled: runs.doubled,
    throttled: counted.throttled,
    partlyTaken: counted.partlyTaken,
    redriven,
    hours: Math.round((Math.max(...recorded.values()) - began) / hour),
    examples: [
      ...lost
        .slice(0, 3)
        .map(({ id, pk }) => `lost: ${id} of ${pk}, ${JSON.stringify(itemsOf(pk).find((item) => item.id === id))}`),
      ...again
        .slice(0, 3)
        .map(({ id }) => `again: ${id}, recorded at ${recorded.get(id)}, ${JSON.stringify(arrivals.get(id))}`),
    ],
  };
}

const names = ['post.published', 'post.added', 'page.published', 'tag.added', 'member.added'];

/** When each delivery was first recorded as delivered. */
function recordSuccesses(world: World): ReadonlyMap<string, number> {
  const recorded = new Map<string, number>();
  const { onWrite } = observer;
  observer.onWrite = (item) => {
    onWrite(item);
    if (item.status === 'delivered' && !recorded.has(String(item.id))) recorded.set(String(item.id), world.now);
  };
  return recorded;
}

/** Some receivers fail for between ten minutes and ten hours, each in its own way; the others answer, some of them slowly. */
function badDays(world: World, began: number, publishingMs: number, share: number) {
  const ways: readonly Behaviour[] = [
    { status: 500, ms: 40 },
    { error: 'connect', ms: 3000 },
    { error: 'reset', ms: 20 },
    'hang',
    { status: 503, ms: 10, headers: { 'retry-after': '600' } },
    { status: 429, ms: 10 },
    { status: 404, ms: 15 },
  ];
  const days = Array.from({ length: hosts }, (_, host) => {
    const from = began + world.random() * publishingMs;
    const isFailing = host < Math.round(hosts * share);
    const until = from + (isFailing ? world.between(10 * minute, 10 * hour) : 0);
    return { from, until, way: ways[host % ways.length] ?? 'hang', ms: host % 10 === 9 ? 1500 : 5 + (host % 7) * 15 };
  });
  return (url: string, now: number): Behaviour => {
    const host = Number(/host(\d+)\./.exec(url)?.[1] ?? 0);
    const { from, until, way, ms } = days[host] ?? { from: 0, until: 0, way: 'hang' as const, ms: 0 };
    return now >= from && now < until ? way : { status: 200, ms: ms * world.between(0.7, 2) };
  };
}
