/** The model of `npm --prefix lab run simulate -- scale`, tested on cases that queueing theory answers exactly. */
import { describe, expect, it } from 'vitest';
import { compare, runCounters, wideEvent } from '../faults/scenarios/scale.ts';
import { Clock } from './clock.ts';
import { Account, Environments, Source, workOf } from './lambda.ts';
import { prodLimits, Reached } from './limits.ts';
import { FairQueue, type Taken } from './queue.ts';
import { measuredTimes, productRules } from './stage.ts';
import { Table } from './table.ts';
import { Waits } from './waits.ts';

const hour = 3_600_000;

/** A queue with one function: batches of one message take `ms`, with `servers` environments and no cold starts. */
const station = (servers: number, ms: number, untilMs = hour) => {
  const clock = new Clock(1);
  const reached = new Reached();
  const queue = new FairQueue(clock);
  const waits = new Waits();
  const begun: Taken[] = [];
  const source = new Source(
    {
      clock,
      queue,
      reached,
      account: new Account(clock, prodLimits, reached),
      environments: new Environments(clock, reached),
      batchSize: 1,
      maxConcurrency: servers,
      limit: 'deliveries',
      coldMs: 0,
      work: workOf(clock, (batch) => {
        begun.push(...batch);
        return ms;
      }),
      onDone: (batch) => {
        for (const { group, sentAt } of batch) waits.add(group, clock.now - sentAt, 1);
      },
    },
    untilMs,
  );
  /** Sends messages at random times with this rate per second. */
  const arrive = (perSecond: number) => {
    const next = () => {
      queue.send('', 1);
      clock.after((-Math.log(1 - clock.random()) * 1000) / perSecond, next);
    };
    next();
  };
  return { clock, reached, queue, waits, source, arrive, begun };
};

describe('the model of scale', () => {
  it.each([0.5, 0.8])('agrees within 10 % with queueing theory (M/D/1) on the mean time at a load of %s', (load) => {
    const [ms, untilMs] = [100, 2 * hour];
    const { clock, waits, arrive } = station(1, ms, untilMs);
    arrive((load * 1000) / ms);
    clock.run(untilMs);
    const expected = ms + (load * ms) / (2 * (1 - load));
    expect(waits.meanMs / expected).toBeGreaterThan(0.9);
    expect(waits.meanMs / expected).toBeLessThan(1.1);
  });

  it("agrees within 10 % with Little's law: messages in the system = rate × time", () => {
    const perSecond = 30;
    const { clock, queue, waits, arrive } = station(4, 100);
    arrive(perSecond);
    let [sum, looks] = [0, 0];
    clock.every(1000, hour, () => {
      sum += queue.visible + queue.inFlight;
      looks++;
    });
    clock.run(hour);
    const expected = (perSecond * waits.meanMs) / 1000;
    expect(sum / looks / expected).toBeGreaterThan(0.9);
    expect(sum / looks / expected).toBeLessThan(1.1);
  });

  it('agrees within 10 % with the formulas of its limits', () => {
    for (const { what, model, formula } of compare(1, measuredTimes())) {
      expect(model / formula, what).toBeGreaterThan(0.9);
      expect(model / formula, what).toBeLessThan(1.1);
    }
  });
});

describe('the limits of the model', () => {
  it('a queue begins with five pollers and gets 300 more per minute', () => {
    const { clock, queue, source } = station(1000, 10_000);
    queue.send('', 1_000_000);
    expect(source.busy).toBe(5);
    clock.run(60_500);
    expect(source.busy).toBe(305);
  });

  it('an account has a maximum of concurrent executions', () => {
    const { clock, queue, source, reached } = station(2000, 10_000);
    queue.send('', 1_000_000);
    clock.run(400_000);
    expect(source.busy).toBe(prodLimits.concurrency);
    expect(reached.first.has('concurrency')).toBe(true);
  });

  it('a function gets 1,000 environments at once, and 100 more per second', () => {
    const clock = new Clock(1);
    const environments = new Environments(clock, new Reached());
    const started = () => {
      let count = 0;
      while (environments.begin(1) !== undefined) count++;
      return count;
    };
    expect(started()).toBe(1000);
    clock.after(1000, () => {});
    clock.run(1000);
    expect(started()).toBe(100);
  });

  it('a new table accepts 4,000 write units per second', () => {
    const clock = new Clock(1);
    const reached = new Reached();
    const table = new Table(clock, prodLimits, reached);
    let delays = 0;
    clock.every(10, 10_000, () => {
      delays = table.write(80) ?? Number.NaN;
    });
    clock.run(10_000);
    // The rate is twice the capacity: after ten seconds, five seconds of writes wait, less one that is available at once.
    expect(delays).toBeGreaterThan(0);
    expect(table.units / 15).toBeLessThan(4000 * 1.1);
    expect(reached.first.has('tableWrites')).toBe(true);
  });

  it('a partition key accepts 1,000 write units per second, whatever the table accepts', () => {
    const clock = new Clock(1);
    const reached = new Reached();
    const table = new Table(clock, { ...prodLimits, tableWrites: 40_000 }, reached);
    let [delays, others] = [0, 0];
    clock.every(10, 5000, () => {
      delays = table.write(20, 'hot') ?? Number.NaN;
      others = table.write(20, `other ${clock.now}`) ?? Number.NaN;
    });
    clock.run(5000);
    expect(delays).toBeGreaterThan(2000);
    expect(others).toBe(0);
    expect([...reached.first.keys()]).toEqual(['partition']);
  });
});

describe('the counts of 10,000 publications a second', () => {
  it("fit into the product's shards, but not into eight", () => {
    const [eight, product] = runCounters(1, measuredTimes());
    expect(eight).toMatchObject({ shards: 8, fullAtMs: expect.any(Number) });
    expect(product).toMatchObject({ shards: productRules.countShards, fullAtMs: undefined });
    expect(product?.busiest).toBeLessThan(1000);
  });
});

describe('an event with 200,000 subscribers', () => {
  const riseWith = (rules = productRules) => {
    const { quiet, during } = wideEvent(1, measuredTimes(), 200_000, rules);
    return during - quiet;
  };

  it('delays the events of another publisher by at most two seconds', () => {
    expect(riseWith()).toBeLessThan(2000);
  });

  it('would delay them longer if messages were grouped by cohort and the fan-out never paused', () => {
    expect(riseWith({ ...productRules, laterGroup: 'cohort', pauseAbove: Number.POSITIVE_INFINITY })).toBeGreaterThan(
      2000,
    );
  });
});
