/** A stage as queues, functions and a table, whose service times were measured (`lab/cost/measured.json`). */
import { readMeasured } from '../cost/measured.ts';
import { Clock } from './clock.ts';
import { Account, Environments, Source } from './lambda.ts';
import { type Limits, Reached } from './limits.ts';
import { FairQueue } from './queue.ts';
import { Table } from './table.ts';
import { Waits } from './waits.ts';

/** Messages of a batch of events, and of one of the slow lane, where each delivery has a message of its own. */
export const batchSize = 10;
/** Deliveries of a full batch of the normal lane: five messages of ten each (shared/contract.ts, shared/deliveries/fan-out/first-messages.ts). */
export const fullBatch = 50;
/** Deliveries that share a message and an item. */
const ofCohort = 10;
/** Subscribers on a page of a fan-out, and the ms for which a run sends pages (shared/deliveries/fan-out/fan-out.ts). */
const pageSize = 500;
const runMs = 15_000;
/** The most subscribers of an event to whom the function that accepts it sends all deliveries (shared/webhooks/subscriptions.ts). */
const maxDirect = 50;
/** Milliseconds of a cold start: INIT and the slower first invocation (lab/reports/lambda.md). */
const coldMs = 350;
/** Write units: of an event with a body of 2 KB, and of the counts and of each cohort's item of a batch (docs/cost.md). */
const eventUnits = 2;
const countUnits = 1;
const cohortUnits = 1;
/** Milliseconds of a subscriber on a page, at 512 MiB (`npm --prefix lab run bench:long -- fan-out`, lab/reports/performance.md). */
const subscriberMs = 0.06;
/** Service times vary by this share to both sides. */
const jitter = 0.2;

export interface ServiceTimes {
  /** Milliseconds of a batch of ten deliveries whose receivers answer after 50 ms. */
  readonly deliverMs: number;
  /** The same of a full batch. */
  readonly fullBatchMs: number;
  /** Milliseconds of a fan-out: of an event, and of each subscriber. */
  readonly eventMs: number;
  readonly subscriberMs: number;
  readonly publishMs: number;
}

/** Returns the measured times. */
export const measuredTimes = (): ServiceTimes => {
  const { durations } = readMeasured();
  const of = (name: string, units: number): number => {
    const found = durations.find((one) => one.function === name && one.units === units && one.payloadKb === 2);
    if (found === undefined)
      throw new Error(`The duration of ${name} was not measured: npm --prefix lab run cost -- --measure durations`);
    return found.ms;
  };
  return {
    deliverMs: of('deliveries/deliver', ofCohort),
    fullBatchMs: of('deliveries/deliver', fullBatch),
    subscriberMs,
    eventMs: of('deliveries/fan-out', 10) - 10 * subscriberMs,
    publishMs: of('events/publish', 1),
  };
};

export interface StageModel {
  readonly clock: Clock;
  readonly reached: Reached;
  readonly table: Table;
  readonly account: Account;
  readonly deliveries: FairQueue;
  readonly delivered: Waits;
  readonly sources: Readonly<Record<'events' | 'deliveries', Source>>;
  /** Requests to publish that were refused. */
  refused: number;
  /** Publishes events of a group of subscribers, each in a request of its own. */
  publish(group: string, count?: number): void;
}

/** Starts a stage. `subscribersOf` is the number of subscribers of a group's events. */
export const startStage = (
  seed: number,
  limits: Limits,
  times: ServiceTimes,
  subscribersOf: (group: string) => number,
  untilMs: number,
): StageModel => {
  const clock = new Clock(seed);
  const reached = new Reached();
  const table = new Table(clock, limits, reached);
  const account = new Account(clock, limits, reached);
  const [events, deliveries] = [new FairQueue(clock), new FairQueue(clock)];
  const delivered = new Waits();
  const varied = (ms: number): number => ms * (1 - jitter + 2 * jitter * clock.random());
  const common = { clock, account, reached, coldMs };
  const eventSource = new Source(
    {
      ...common,
      queue: events,
      batchSize,
      environments: new Environments(clock, reached),
      maxConcurrency: limits.events,
      limit: 'events',
      work(batch) {
        const waitMs = table.write(eventUnits * batch.reduce((sum, { count }) => sum + count, 0));
        if (waitMs === undefined) return undefined;
        const subscribers = batch.reduce((sum, { group, count }) => sum + count * subscribersOf(group), 0);
        if (subscribers > 10 * pageSize) return longFanOut(batch);
        const count = batch.reduce((sum, one) => sum + one.count, 0);
        // The events of a batch are fanned out concurrently, on one CPU.
        return waitMs + varied(times.eventMs + (count - 1) * (times.eventMs / 4) + subscribers * times.subscriberMs);
      },
      onDone(batch) {
        for (const { group, count } of batch)
          if (!long.has(group)) deliveries.send(group, count * subscribersOf(group));
      },
    },
    untilMs,
  );
  /** Subscribers of a long fan-out that have no message yet. */
  const long = new Map<string, number>();
  /** Sends pages for the time of a run, one after the other; the rest goes back to the queue. */
  const longFanOut = (batch: readonly { readonly group: string }[]): number => {
    const group = batch[0]?.group ?? '';
    const left = long.get(group) ?? subscribersOf(group);
    const ends: number[] = [];
    for (let ms = times.eventMs; ms < runMs && ends.length * pageSize < left; ) {
      ms += varied(pageSize * times.subscriberMs);
      ends.push(ms);
    }
    ends.forEach((at, page) => {
      clock.after(at, () => deliveries.send(group, Math.min(pageSize, left - page * pageSize)));
    });
    const rest = left - ends.length * pageSize;
    long.set(group, Math.max(0, rest));
    const ms = ends.at(-1) ?? times.eventMs;
    if (rest > 0) clock.after(ms, () => events.send(group, 1));
    return ms;
  };
  const deliverySource = new Source(
    {
      ...common,
      queue: deliveries,
      batchSize: fullBatch,
      environments: new Environments(clock, reached),
      maxConcurrency: limits.deliveries,
      limit: 'deliveries',
      work(batch) {
        const count = batch.reduce((sum, one) => sum + one.count, 0);
        const waitMs = table.write(countUnits + cohortUnits * Math.ceil(count / ofCohort));
        const moreMs = ((times.fullBatchMs - times.deliverMs) * Math.max(0, count - ofCohort)) / (fullBatch - ofCohort);
        return waitMs === undefined ? undefined : waitMs + varied(times.deliverMs + moreMs);
      },
      onDone(batch) {
        for (const { group, count, sentAt } of batch) delivered.add(group, clock.now - sentAt, count);
      },
    },
    untilMs,
  );
  let [tokens, filledAt] = [Number.POSITIVE_INFINITY, 0];
  const model: StageModel = {
    clock,
    reached,
    table,
    account,
    deliveries,
    delivered,
    sources: { events: eventSource, deliveries: deliverySource },
    refused: 0,
    publish(group, count = 1) {
      const limit = limits.apiRate < limits.apiAccountRate ? 'apiRate' : 'apiAccountRate';
      // A token bucket: a second of requests can come at once.
      tokens = Math.min(limits[limit], tokens + ((clock.now - filledAt) * limits[limit]) / 1000);
      filledAt = clock.now;
      const allowed = Math.min(count, Math.floor(tokens));
      tokens -= allowed;
      if (allowed < count) reached.note(limit, clock.now);
      if (allowed === 0 || !account.begin(allowed)) {
        this.refused += count;
        return;
      }
      this.refused += count - allowed;
      clock.after(varied(times.publishMs), () => {
        account.end(allowed);
        const subscribers = subscribersOf(group);
        if (subscribers > maxDirect) {
          events.send(group, allowed);
          return;
        }
        table.write(eventUnits * allowed);
        deliveries.send(group, allowed * subscribers);
      });
    },
  };
  return model;
};
