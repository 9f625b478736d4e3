/**
 * Measures how hanging receivers affect the others. Ten receivers get ten events a second, and some hang. Latencies are measured until the product
 * knows them to be slow, once it knows, and while the backlog of one drains; both with new webhooks and with ten busy ones.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { RunningStack } from '../../test/support/parts-running-stack.ts';
import { type Counter, targetOf, withCounter } from './counter.ts';
import type { Figures } from './figures.ts';
import { type Published, publishMany, publishSteadily, subscribe } from './stack/load.ts';
import { quantile } from './statistics.ts';

/** Returns the latencies of the deliveries to all other receivers. Of duplicates, the first counts. */
const latenciesOf = (counter: Counter, published: readonly Published[], hanging: readonly string[]) => {
  const began = new Map(published.map(({ title, at }) => [title, at]));
  const first = published[0]?.at ?? Number.NaN;
  const found = new Map<string, Latency>();
  let repeated = 0;
  for (const arrival of counter.arrivals()) {
    const [from, target] = [began.get(arrival.title), targetOf(arrival)];
    if (from === undefined || hanging.some((origin) => target.startsWith(`${origin}/`))) continue;
    const name = `${arrival.title} ${target}`;
    if (found.has(name)) repeated++;
    else found.set(name, { ms: arrival.at - from, at: from - first });
  }
  return { latencies: [...found.values()], repeated };
};

/** Runs a round with ten receivers, the last `count` of which hang from the start if `kind` says so. */
const round = async (running: RunningStack, situation: Situation, kind: Kind, hanging: Hanging) => {
  // The end of the receivers also ends the hanging requests.
  const found = await withCounter(receivers, (counter) => measureRound(counter, running, situation, kind, hanging));
  // Wait until the deferred deliveries find their webhooks deleted, so that they add no load to the next round.
  if (kind === 'some hang') await wait(deferredMs);
  return found;
};

const measureRound = async (
  counter: Counter,
  running: RunningStack,
  situation: Situation,
  kind: Kind,
  { count, seconds }: Hanging,
) => {
  const webhooks: string[] = [];
  for (const origin of counter.origins) webhooks.push(...(await subscribe(running, origin, event, 1)));
  if (situation === 'warm') {
    const events = 5 * perSecond;
    await publishSteadily(running, event, { count: events, perSecond });
    await counter.arrived(events * receivers, 10_000);
    counter.forget();
  }
  const others = receivers - count;
  const hanging = counter.origins.slice(others);
  if (kind === 'some hang') for (const origin of hanging) counter.hang(origin, true);
  const published = await publishSteadily(running, event, { count: seconds * perSecond, perSecond });
  await counter.arrived(published.length * (kind === 'all answer' ? receivers : others), 10_000);
  const found = latenciesOf(counter, published, hanging);
  for (const id of webhooks)
    await running.call('DELETE', `/admin/webhooks/${id}/`, { key: running.stack.integrationKey });
  return { ...found, lost: published.length * others - found.latencies.length };
};

const show = (
  { note, atMost }: Figures,
  situation: Situation,
  count: number,
  latencies: Record<Kind, Latency[]>,
): Pick<Isolation, 'worstMs' | 'p99BeforeMs' | 'p99KnownMs'> => {
  const ms = (kind: Kind, fits: (latency: Latency) => boolean) => latencies[kind].filter(fits).map((one) => one.ms);
  const isKnown = ({ at }: Latency) => at >= learnedAfterMs;
  const [before, known] = [ms('all answer', isKnown), ms('some hang', isKnown)];
  const learning = ms('some hang', (latency) => !isKnown(latency));
  const name = `${situation}, ${count} of ${receivers} hang`;
  note(`${situation}, all answer: p50 of the other ${receivers - count}`, quantile(before, 0.5), 'ms');
  note(`${situation}, all answer: p99 (${before.length} deliveries)`, quantile(before, 0.99), 'ms');
  note(`${situation}, all answer: worst`, Math.max(...before), 'ms');
  note(`${name}, while it is learned: p50`, quantile(learning, 0.5), 'ms');
  atMost(`${name}, while it is learned: worst (${learning.length})`, Math.max(...learning), 'ms', 1000);
  note(`${name}, once it is known: p50`, quantile(known, 0.5), 'ms');
  note(`${name}, once it is known: p99 (${known.length})`, quantile(known, 0.99), 'ms');
  note(`${name}, once it is known: worst`, Math.max(...known), 'ms');
  atMost(`${name}: ratio of both p99`, quantile(known, 0.99) / quantile(before, 0.99), '', 1.2);
  return { worstMs: Math.max(...learning), p99BeforeMs: quantile(before, 0.99), p99KnownMs: quantile(known, 0.99) };
};

const perSecond = 10;
const receivers = 10;
const event = 'post.published';
/** After this time the soft deadline has passed and the product knows that the webhook is slow. */
const learnedAfterMs = 1000;

/** The first retry and the first wait of a circuit breaker are five seconds, with up to 10 % jitter. */
const deferredMs = 8000;

/** How many receivers hang, and how long a round is. */
interface Hanging {
  readonly count: number;
  readonly seconds: number;
}

type Situation = 'fresh' | 'warm';
type Kind = 'all answer' | 'some hang';

interface Latency {
  /** Milliseconds from publishing to arrival. */
  readonly ms: number;
  /** Milliseconds from the round's first event to publishing. */
  readonly at: number;
}

/** How hanging receivers affected the others. */
export interface Isolation {
  readonly hanging: number;
  readonly situation: Situation;
  /** The slowest delivery to the others before the product knew the slow webhooks. */
  readonly worstMs: number;
  readonly p99BeforeMs: number;
  readonly p99KnownMs: number;
  readonly lost: number;
  readonly repeated: number;
}

/** Measures both situations with `count` of ten receivers hanging, on a running stack. */
export const measureIsolation = async (
  running: RunningStack,
  figures: Figures,
  count: number,
): Promise<readonly Isolation[]> => {
  const measured: Isolation[] = [];
  const [hanging, pairs] = count === 1 ? [{ count, seconds: 20 }, 3] : [{ count, seconds: 10 }, 2];
  // An uncounted round starts the environments: here their start competes for CPU, on AWS it does not.
  await round(running, 'warm', 'some hang', hanging);
  for (const situation of ['fresh', 'warm'] as const) {
    const latencies: Record<Kind, Latency[]> = { 'all answer': [], 'some hang': [] };
    let lost = 0;
    let repeated = 0;
    for (let pair = 0; pair < pairs; pair++)
      for (const kind of pair % 2 === 0
        ? (['all answer', 'some hang'] as const)
        : (['some hang', 'all answer'] as const)) {
        const found = await round(running, situation, kind, hanging);
        latencies[kind].push(...found.latencies);
        lost += found.lost;
        repeated += found.repeated;
      }
    const shown = show(figures, situation, count, latencies);
    measured.push({ hanging: count, situation, ...shown, lost, repeated });
    figures.atMost(`${situation}, ${count} of ${receivers}: lost, of all rounds`, lost, '', 0);
    figures.atMost(`${situation}, ${count} of ${receivers}: repeated`, repeated, '', 0);
  }
  return measured;
};

/** Lets a receiver hang while a thousand events wait for it, then recover. Measures the time to drain and the effect on the others. */
export const measureBacklog = (running: RunningStack, figures: Figures): Promise<void> =>
  withCounter(receivers, (counter) => drainBacklog(counter, running, figures));

const drainBacklog = async (counter: Counter, running: RunningStack, { note, atMost }: Figures): Promise<void> => {
  const backlog = 1000;
  const [tenth = '', ...others] = counter.origins;
  for (const origin of others) await subscribe(running, origin, event, 1);
  await subscribe(running, tenth, 'tag.added', 1);
  counter.hang(tenth, true);
  await publishMany(running, 'tag.added', backlog);
  const load = (forSeconds: number) => publishSteadily(running, event, { count: forSeconds * perSecond, perSecond });
  // Not counted: the fan-out of the thousand events competes for the CPU that the others are measured on.
  await load(20);
  counter.forget();
  const before = await load(20);
  const quiet = latenciesOf(counter, before, [tenth]).latencies.map(({ ms }) => ms);
  counter.forget();
  counter.hang(tenth, false);
  const during = await load(60);
  const ofTenth = () => counter.arrivals().filter((arrival) => targetOf(arrival).startsWith(`${tenth}/`));
  const distinct = () => new Set(ofTenth().map(({ title }) => title)).size;
  for (let waited = 0; distinct() < backlog && waited < 120; waited++) await wait(1000);
  const drained = Math.max(...ofTenth().map(({ at }) => at)) - (during[0]?.at ?? 0);
  const disturbed = latenciesOf(counter, during, [tenth]).latencies.map(({ ms }) => ms);
  note('backlog: p99 of nine before it drains', quantile(quiet, 0.99), 'ms');
  note('backlog: p99 of nine while it drains', quantile(disturbed, 0.99), 'ms');
  atMost('backlog: ratio', quantile(disturbed, 0.99) / quantile(quiet, 0.99), '', 1.2);
  note('backlog: drained after', drained / 1000, 's');
  atMost('backlog: not delivered', backlog - distinct(), '', 0);
};
