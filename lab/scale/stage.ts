/** A stage as queues, functions and a table, whose service times were measured (`lab/cost/measured.json`). */
import { readMeasured } from '../cost/measured.ts';
import { Clock } from './clock.ts';
import { Account, Environments, Source, workOf } from './lambda.ts';
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
/** The first subscribers of an event, to whom the function that accepts it sends their deliveries (shared/webhooks/subscriptions.ts). */
const maxDirect = 50;
/** Milliseconds of a cold start: INIT and the slower first invocation (lab/reports/lambda.md). */
const coldMs = 350;
/** Write units: of an event with a body of 2 KB, of the cursor in it, and of the counts and of each cohort's item of a batch (docs/cost.md). */
const eventUnits = 2;
const cursorUnits = 2;
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

/** What of the product's rules can be varied, to see what each is for. */
export interface Rules {
  /** Whose turn a message takes beyond the first fifty subscribers: that of its cohort, or that of the publisher. */
  readonly laterGroup: 'cohort' | 'publisher';
  /** With more messages in the lane, a fan-out pauses. */
  readonly pauseAbove: number;
  /** Seconds by which SQS's count of waiting messages is late: up to a minute (`ApproximateNumberOfMessages`). */
  readonly lateSeconds: number;
  readonly countShards: number;
}

/** The product's rules, and the ms of a pause (shared/deliveries/fan-out/fan-out.ts, shared/stats/store.ts). */
export const productRules: Rules = { laterGroup: 'publisher', pauseAbove: 500, lateSeconds: 0, countShards: 32 };
const pauseMs = 1000;

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
  /** Publishes events, each in a request of its own. */
  publish(publisher: string, count?: number): void;
}

/** The shards of the counts: each environment has one for its life, chosen at random. */
class Shards {
  private readonly ofEnvironment: number[] = [];
  private readonly count: number;
  private readonly random: () => number;

  constructor(count: number, random: () => number) {
    this.count = count;
    this.random = random;
  }

  /** Returns the key of the shard of one environment, chosen at random from this number of environments. */
  of(environments: number): string {
    while (this.ofEnvironment.length < environments) this.ofEnvironment.push(Math.floor(this.random() * this.count));
    const environment = Math.floor(this.random() * Math.max(1, environments));
    return `STATS#${this.ofEnvironment[environment] ?? 0}`;
  }
}

const separator = ' ';
/** Names of publishers have no space. */
const publisherOf = (group: string): string => group.split(separator)[0] ?? '';

/** Starts a stage. `subscribersOf` is the number of subscribers of a publisher's events. */
export const startStage = (
  seed: number,
  limits: Limits,
  times: ServiceTimes,
  subscribersOf: (publisher: string) => number,
  untilMs: number,
  { laterGroup, pauseAbove, lateSeconds, countShards } = productRules,
): StageModel => {
  const clock = new Clock(seed);
  const reached = new Reached();
  const table = new Table(clock, limits, reached);
  const account = new Account(clock, limits, reached);
  const [events, deliveries] = [new FairQueue(clock), new FairQueue(clock, ofCohort)];
  const delivered = new Waits();
  const varied = (ms: number): number => ms * (1 - jitter + 2 * jitter * clock.random());
  const common = { clock, account, reached, coldMs };
  const [publishShards, deliverShards] = [new Shards(countShards, clock.random), new Shards(countShards, clock.random)];
  /** Sends deliveries to subscribers from a position on, once for each of some events. */
  const sendDeliveries = (publisher: string, from: number, count: number, eventCount = 1): void => {
    if (from >= maxDirect && laterGroup === 'publisher') {
      deliveries.send(publisher, count * eventCount);
      return;
    }
    for (let sent = 0; sent < count; sent += ofCohort) {
      const cohort = Math.floor((from + sent) / ofCohort);
      deliveries.send(`${publisher}${separator}${cohort}`, Math.min(ofCohort, count - sent) * eventCount);
    }
  };
  const waitingBySecond: number[] = [];
  if (lateSeconds > 0) clock.every(1000, untilMs, () => waitingBySecond.push(deliveries.visible));
  const waitingAsKnown = (): number =>
    lateSeconds === 0 ? deliveries.visible : (waitingBySecond.at(-lateSeconds) ?? 0);
  /** To how many subscribers a publisher's wide event was sent: it has one at a time. */
  const sentTo = new Map<string, number>();
  /** Sends page after page until the time of a run is over or the lane has a backlog; the rest goes back to the queue. */
  const fanOut = (publisher: string, startMs: number, end: () => void): void => {
    const until = clock.now + startMs + runMs;
    const all = subscribersOf(publisher);
    const sendPage = () => {
      const from = sentTo.get(publisher) ?? maxDirect;
      const count = Math.min(pageSize, all - from);
      table.write(cursorUnits);
      sendDeliveries(publisher, from, count);
      sentTo.set(publisher, from + count);
      const isPaused = waitingAsKnown() > pauseAbove * ofCohort;
      if (from + count >= all) end();
      else if (isPaused || clock.now >= until) {
        events.send(publisher, 1, isPaused ? pauseMs : 0);
        end();
      } else clock.after(varied(pageSize * times.subscriberMs), sendPage);
    };
    clock.after(startMs + varied(times.eventMs + pageSize * times.subscriberMs), sendPage);
  };
  const eventSource = new Source(
    {
      ...common,
      queue: events,
      batchSize,
      environments: new Environments(clock, reached),
      maxConcurrency: limits.events,
      limit: 'events',
      work(batch, startMs, end) {
        let underWay = batch.length;
        for (const { group } of batch)
          fanOut(group, startMs, () => {
            underWay--;
            if (underWay === 0) end(false);
          });
      },
      onDone: () => {},
    },
    untilMs,
  );
  const deliverySource = new Source(
    {
      ...common,
      queue: deliveries,
      batchSize: fullBatch,
      environments: new Environments(clock, reached),
      maxConcurrency: limits.deliveries,
      limit: 'deliveries',
      work: workOf(clock, (batch) => {
        const count = batch.reduce((sum, one) => sum + one.count, 0);
        const waitMs = table.write(cohortUnits * Math.ceil(count / ofCohort));
        // Counts that were not written are written with the next batch.
        const countMs = table.write(countUnits, deliverShards.of(deliverySource.busy)) ?? 0;
        const moreMs = ((times.fullBatchMs - times.deliverMs) * Math.max(0, count - ofCohort)) / (fullBatch - ofCohort);
        return waitMs === undefined ? undefined : Math.max(waitMs, countMs) + varied(times.deliverMs + moreMs);
      }),
      onDone(batch) {
        for (const { group, count, sentAt } of batch) delivered.add(publisherOf(group), clock.now - sentAt, count);
      },
    },
    untilMs,
  );
  let [tokens, filledAt, publishing] = [Number.POSITIVE_INFINITY, 0, 0];
  const model: StageModel = {
    clock,
    reached,
    table,
    account,
    deliveries,
    delivered,
    sources: { events: eventSource, deliveries: deliverySource },
    refused: 0,
    publish(publisher, count = 1) {
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
      publishing += allowed;
      table.write(eventUnits * allowed);
      let countMs = 0;
      for (let number = 0; number < allowed; number++)
        countMs = Math.max(countMs, table.write(countUnits, publishShards.of(publishing)) ?? 0);
      const subscribers = subscribersOf(publisher);
      clock.after(varied(times.publishMs), () => {
        sendDeliveries(publisher, 0, Math.min(maxDirect, subscribers), allowed);
        if (subscribers > maxDirect) events.send(publisher, allowed);
      });
      clock.after(varied(times.publishMs) + countMs, () => {
        account.end(allowed);
        publishing -= allowed;
      });
    },
  };
  return model;
};
