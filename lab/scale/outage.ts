/**
 * A region-wide outage of receivers: their deliveries wait in the table with messages that ask again, as the circuit breaker of their webhook
 * allows, until the receivers answer.
 */
import { Clock } from './clock.ts';
import { Account, Environments, Source, workOf } from './lambda.ts';
import { type Limits, Reached } from './limits.ts';
import { FairQueue } from './queue.ts';
import { batchSize, type ServiceTimes } from './stage.ts';
import { Table } from './table.ts';

/** The longest wait of an open circuit breaker, in ms, and its jitter (shared/webhooks/health.ts, shared/deliveries/attempt/wait.ts). */
const breakerMs = 15 * 60_000;
const waitJitterMs = 30_000;
/** Milliseconds of a batch of ten deliveries that all wait: ten conditional writes instead of one request, and no receiver (by calculation). */
const deferMs = 60;
/** Write units of a step that waits: the item, and its old and new place in the index. */
const deferUnits = 3;
const coldMs = 350;

/** The mean wait with its jitter, and the duration of a batch that waits, for formulas. */
export const waitingTimes = { breakerMs: breakerMs + waitJitterMs / 2, deferMs };

export interface OutageResult {
  readonly reached: Reached;
  /** The most deliveries that waited. */
  readonly backlog: number;
  /** Milliseconds from the recovery until all are delivered. */
  readonly drainedMs: number;
  /** Milliseconds after the begin at which the slow lane was full, so that waits were longer than the circuit breaker's; undefined if it never was. */
  readonly fullAtMs: number | undefined;
  /** Deliveries a second that asked again while the lane was full. */
  readonly askedPerSecond: number;
  readonly peakWritesPerSecond: number;
}

/** Runs an outage of this length in ms, at this rate of deliveries a second. */
export const runOutage = (
  seed: number,
  limits: Limits,
  times: ServiceTimes,
  perSecond: number,
  outageMs: number,
): OutageResult => {
  const clock = new Clock(seed);
  const reached = new Reached();
  const table = new Table(clock, limits, reached);
  const queue = new FairQueue(clock);
  const untilMs = 10 * outageMs;
  let [waiting, backlog, delivered, accepted, peak, lastUnits] = [0, 0, 0, 0, 0, 0];
  let [asked, askedSince] = [0, Number.NaN];
  let drainedAt = Number.NaN;
  const isDown = () => clock.now < outageMs;
  new Source(
    {
      clock,
      queue,
      account: new Account(clock, limits, reached),
      environments: new Environments(clock, reached),
      reached,
      batchSize,
      maxConcurrency: limits.slowDeliveries,
      limit: 'slowDeliveries',
      coldMs,
      work: workOf(clock, (batch) => {
        const count = batch.reduce((sum, one) => sum + one.count, 0);
        const waitMs = table.write(isDown() ? deferUnits * count : 2 * count + 1);
        return waitMs === undefined ? undefined : waitMs + (isDown() ? deferMs : times.deliverMs);
      }),
      onDone(batch) {
        const count = batch.reduce((sum, one) => sum + one.count, 0);
        if (isDown() && !Number.isNaN(askedSince)) asked += count;
        if (isDown())
          queue.send('waiting', count, breakerMs * (0.9 + 0.2 * clock.random()) + waitJitterMs * clock.random());
        else {
          waiting -= count;
          delivered += count;
          if (delivered === accepted) drainedAt = clock.now;
        }
      },
    },
    untilMs,
  );
  clock.every(100, outageMs, () => {
    accepted += perSecond / 10;
    waiting += perSecond / 10;
    backlog = Math.max(backlog, waiting);
    queue.send('waiting', perSecond / 10);
  });
  clock.every(1000, outageMs, () => {
    if (Number.isNaN(askedSince) && queue.visible > 10_000) askedSince = clock.now;
    peak = Math.max(peak, table.units - lastUnits);
    lastUnits = table.units;
  });
  clock.run(untilMs, () => !isDown() && delivered === accepted);
  return {
    reached,
    backlog,
    drainedMs: drainedAt - outageMs,
    fullAtMs: reached.first.get('slowDeliveries'),
    askedPerSecond: (asked * 1000) / (outageMs - askedSince),
    peakWritesPerSecond: peak,
  };
};
