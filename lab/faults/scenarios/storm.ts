/**
 * Deliveries under all faults at once: kills of one or all processes, frozen environments with closed sockets, messages
 * twice or out of order, throttles, lost answers, conflicts, items that expire at once or days late, outages of table
 * and queues, receivers that fail or flip, many webhooks on one host, overlapping patterns, and changing webhooks.
 */
import type { Throttle } from '../../../shared/webhooks/options-resource.ts';
import type { Hook, ShownDelivery } from '../../world/customers.ts';
import { flipping } from '../../world/flipping.ts';
import type { Post } from '../../world/ledger.ts';
import type { Behaviour } from '../../world/receivers.ts';
import { goodWeather, type Weather } from '../../world/weather.ts';
import { begin, day, hour, minute, never, type Options, type Report, resultOf, type Scene } from './scenario.ts';

const reportOf = (scene: Scene, more: Report['figures']): Report => {
  const { ledger, counts } = scene.stack;
  const { deliveries, lost, waits, examples } = resultOf(scene);
  const { tooSoon, twice, unverified, mixed, overThrottle, throttled: underThrottle, withOptions, posts } = ledger;
  return {
    figures: {
      deliveries,
      lost,
      ...ledger.repetitions,
      tooSoon,
      twice,
      unverified,
      mixed,
      overThrottle,
      underThrottle,
      withOptions,
      posts,
      ...more,
      ...counts,
      slowestMinutes: Math.round(waits.reduce((most, wait) => Math.max(most, wait), 0) / minute),
    },
    gates: {
      lost: never,
      repeated: never,
      tooSoon: never,
      twice: never,
      unverified: never,
      mixed: never,
      overThrottle: never,
      misreported: never,
      withoutLast: never,
      unfinished: never,
      restless: never,
      invalid: never,
    },
    examples: [...examples, ...ledger.examples],
  };
};

/** Some receivers fail for ten minutes to ten hours, at different times; some occasionally, some flip or are slow. */
const receiversOn = (
  { world, customers }: Scene,
  publishingMs: number,
  flakiness: number,
): ((post: Post) => Behaviour) => {
  const ways: readonly Behaviour[] = [
    { status: 500, ms: 40 },
    { error: 'connect', ms: 3000 },
    { error: 'reset', ms: 20 },
    'hang',
    { status: 503, ms: 10, headers: { 'retry-after': '600' } },
    { status: 429, ms: 10 },
    { status: 404, ms: 15 },
  ];
  const began = world.now;
  const hasDeclined = new Set<number>();
  const flips = flipping(world);
  const days = Array.from({ length: hosts }, (_, host) => {
    const from = began + world.random() * publishingMs;
    const isFailing = host % 8 === 0;
    return {
      from,
      until: from + (isFailing ? world.between(10 * minute, 10 * hour) : 0),
      way: ways[host % ways.length] ?? 'hang',
      ms: host % 10 === 9 ? 1500 : 5 + (host % 7) * 15,
      flaky: host % 3 === 1 ? flakiness : 0,
    };
  });
  return ({ hook, at }) => {
    const { from, until, way, ms, flaky } = days[hook % hosts] ?? {
      from: 0,
      until: 0,
      way: 'hang' as const,
      ms: 0,
      flaky: 0,
    };
    if (at >= from && at < until) return way;
    if (hook % 40 === 11 && at < began + publishingMs) return flips(hook);
    if (at >= from && hook % 100 === 7) {
      // Answers 410: the webhook no longer subscribes.
      const gone = customers.hooks[hook];
      if (gone !== undefined) gone.subscribedSince = Number.POSITIVE_INFINITY;
      return { status: 410, ms: 10 };
    }
    if (at >= from && hook % 100 === 33 && !hasDeclined.has(hook)) {
      hasDeclined.add(hook);
      return { status: 200, ms: 10, headers: { 'webhook-delivery': 'disable' } };
    }
    // A receiver that never stops failing occasionally could fail a whole schedule by chance.
    return at < began + publishingMs + hour && world.chance(flaky)
      ? { status: 502, ms: 30 }
      : { status: 200, ms: ms * world.between(0.7, 2) };
  };
};

/** The requests that customers make for a webhook while events are published. */
const planChanges = ({ customers, world }: Scene, hook: Hook, plan: (act: () => Promise<unknown>) => void): void => {
  const { event, id, key } = hook;
  const of = { key, params: { id } };
  for (let change = 0; hook.hasOptions && change < changesOfOptions; change++) plan(() => customers.move(hook));
  const draw = world.random();
  if (draw < 0.05) plan(() => customers.move(hook));
  else if (draw < 0.08) plan(() => customers.remove(hook));
  else if (draw < 0.12) {
    plan(async () => {
      await customers.subscribe(hook, 'tag.deleted');
      await world.sleep(world.random() * 5 * minute);
      await customers.subscribe(hook, event);
    });
  } else if (draw < 0.16 && hook.secrets !== undefined) plan(() => customers.rotate(hook));
  else if (draw < 0.2) plan(() => customers.call('webhooks/ping', of));
  else if (draw < 0.22) plan(() => customers.replay(hook, world.now - hour));
  else if (draw < 0.25)
    plan(async () => {
      const { body } = await customers.call('deliveries/list', of);
      const delivery = body.deliveries?.[0]?.id;
      if (delivery !== undefined)
        await customers.call('deliveries/redeliver', { key, params: { id, delivery_id: String(delivery) } });
    });
  else if (draw < 0.29 && !event.includes('*')) plan(() => customers.widen(hook, world.random() * 5 * minute));
};

const prepare = async ({ customers }: Scene, subscribers: number): Promise<void> => {
  const keys = [await customers.addIntegration(), await customers.addIntegration(), await customers.addIntegration()];
  const count = names.length * subscribersEach + subscribers;
  for (let number = 0; number < count; number++)
    await customers.addWebhook(
      keys[number % keys.length] ?? '',
      number < subscribers ? wideName : (names[number % names.length] ?? ''),
      number % 8 === 5 ? 'shared.example' : `host${number % hosts}.example`,
      { isVerified: number % 5 === 0, hasOptions: number % 7 === 3, throttle: throttles[number % 11] },
    );
  // Windows that a message can wait for, and others that the sweep ends.
  for (const [number, debounceSeconds] of [20, 60, 120, 300, 1200].entries())
    await customers.addWebhook(keys[0] ?? '', burstName, `host${number}.example`, { debounceSeconds });
  for (const [number, selection] of selections.entries())
    await customers.addWebhook(keys[number % keys.length] ?? '', selection, `host${number}.example`);
};

const readLog = async ({ customers, stack }: Scene, isNoticed: () => boolean) => {
  Object.assign(stack.weather, goodWeather());
  const found = { misreported: 0, unfinished: 0, held: 0, superseded: 0, withoutLast: 0 };
  for (const hook of customers.hooks) {
    if (isNoticed()) break;
    const deliveries = await customers.deliveriesOf(hook);
    const count = (chosen: (delivery: ShownDelivery) => boolean) => deliveries.filter(chosen).length;
    found.misreported += count(({ id, status }) => status === 'delivered' && !stack.ledger.hasSucceeded(id));
    const unfinished = deliveries.filter(({ status }) => status === 'pending' || status === 'retrying');
    found.unfinished += unfinished.length;
    for (const one of unfinished.slice(0, 2)) stack.ledger.examples.push(`unfinished: ${JSON.stringify(one)}`);
    const ended = new Set(deliveries.flatMap(({ id, status }) => (status === 'superseded' ? [] : [id])));
    found.superseded += count(({ status }) => status === 'superseded');
    // What is sent instead is later, and went the way of any delivery.
    found.withoutLast += count(
      ({ id, status, superseded_by: by }) => status === 'superseded' && !(by !== null && by > id && ended.has(by)),
    );
    const held = count(({ status }) => status === 'held');
    found.held += held;
    if (held === 0) continue;
    await customers.enable(hook);
    await customers.replay(hook, 0, 'held');
  }
  return found;
};

export interface StormOptions extends Options {
  readonly deliveries: number;
  /** The subscribers of one event, more than fit on a page, so that its fan-out takes several steps. */
  readonly subscribers?: number;
  readonly outageMinutes?: number;
  readonly flaky?: number;
  readonly weather?: Partial<Weather>;
  readonly large?: number;
  /** Whether to end at the first violation in the ledger instead of after all deliveries. */
  readonly untilNoticed?: boolean;
}

const badWeather: Partial<Weather> = {
  callMs: [1, 8],
  throttled: 0.03,
  refused: 0.03,
  failed: 0.01,
  broken: 0.01,
  unanswered: 0.001,
  partial: 0.05,
  conflicts: 0.02,
  killed: 0.08,
  doubled: 0.06,
  reordered: 0.2,
  closesSockets: true,
  ttlLateMs: [0, 2 * day],
  skewMs: 100,
  indexLagMs: [0, 1000],
  staleMs: 500,
};

const names = ['post.published', 'post.edited', 'page.published', 'tag.added', 'member.edited'];
const wideName = 'member.added';
const burstName = 'page.edited';
/** Several events, patterns, and names that a pattern of the same webhook includes. */
const selections = [
  'post.*',
  '*',
  'post.published,post.edited',
  'post.*,post.edited',
  '*,page.*,tag.added',
  'page.*,member.*',
];
/** The bursts, as many events in each of them as ten editors make in a minute. */
const [bursts, burstSize] = [8, 12];
const hosts = 60;
/** How often all processes are killed while events are published. */
const crashes = 3;
/** The throttles of webhooks, by the rest of their number. */
const throttles: Readonly<Record<number, Throttle>> = {
  2: { requests: 1, per: 'minute' },
  6: { requests: 1, per: 'second' },
  9: { requests: 3, per: 'minute' },
};
const subscribersEach = 20;
/** How often the options of a webhook change with its target URL, while events are published. */
const changesOfOptions = 2;

/** Runs a storm to its end. */
export const storm = async (options: StormOptions): Promise<Report> => {
  const { deliveries, subscribers = 620, outageMinutes = 40, large = 0 } = options;
  const scene = await begin(options);
  const { stack, world, customers } = scene;
  await world.during(prepare(scene, subscribers));
  const wideEvents = Math.max(1, Math.round((deliveries * 0.4) / subscribers));
  const events = Math.ceil((deliveries * 0.6) / subscribersEach);
  const publishingMs = Math.max(20 * minute, (events + wideEvents) * 200);
  stack.receivers.behave = receiversOn(scene, publishingMs, options.flaky ?? 0.3);
  Object.assign(stack.weather, badWeather, options.weather);
  const { down } = stack.weather;
  const outage = (service: 'dynamodb' | 'sqs', at: number, forMs: number) => {
    world.after(at, () => down.add(service));
    world.after(at + forMs, () => down.delete(service));
  };
  outage('dynamodb', publishingMs / 2, outageMinutes * minute);
  outage('sqs', publishingMs / 4, 5 * minute);
  for (let number = 1; number <= crashes; number++)
    world.after((number * publishingMs) / (crashes + 1), () => stack.crash());

  const work: Promise<unknown>[] = [];
  const plan = (act: () => Promise<unknown>) => work.push(world.sleep(world.random() * publishingMs).then(act));
  for (let number = 0; number < events; number++)
    plan(() => customers.publish(names[number % 5] ?? '', { isLarge: number < large }));
  for (let number = 0; number < wideEvents; number++) plan(() => customers.publish(wideName));
  for (let burst = 0; burst < bursts; burst++)
    plan(async () => {
      const edits = Array.from({ length: burstSize }, () => world.sleep(world.random() * minute));
      await Promise.all(edits.map((edit) => edit.then(() => customers.publish(burstName))));
    });
  for (const hook of customers.hooks) planChanges(scene, hook, plan);

  const isNoticed = () => options.untilNoticed === true && stack.ledger.examples.length > 0;
  const live = (ms: number) => {
    const end = world.now + ms;
    world.after(ms, () => {});
    return world.live(() => world.now >= end || isNoticed());
  };
  await world.during(Promise.all(work));
  await live(12 * 24 * hour);
  let redriven = 0;
  // What the redrive brings back is attempted at once, and again within minutes if a fault or its receiver prevents it.
  for (let back = stack.redrive(); back > 0; back = isNoticed() ? 0 : stack.redrive()) {
    redriven += back;
    await live(12 * hour);
  }
  const log = await world.during(readLog(scene, isNoticed));
  await live(12 * hour);
  // Every sweep would send an item that stays due, until the item expires.
  return reportOf(scene, { redriven, ...log, restless: stack.isAtRest ? 0 : 1 });
};
