/** Calculates dollars from the measurements and a region's prices. */
import { memoryOf } from '../../test/support/function-memory.ts';
import { accessLogBytes } from './log-lines.ts';
import { type CallUse, type Duration, type FunctionUse, isProfile, type Measured, type Use } from './measured.ts';
import { costOf, type PriceList } from './price.ts';

const million = 1_000_000;
const gb = 1e9;

/** US dollars by part. */
export type Cost = Readonly<Record<(typeof parts)[number], number>>;

export const parts = [
  'table writes',
  'table reads',
  'history of 30 days',
  'queues',
  'API Gateway or bus',
  'Lambda',
  'CloudWatch Logs',
  'transfer out',
] as const;

export const total = (cost: Cost): number => parts.reduce((sum, part) => sum + cost[part], 0);

/** Returns the dollars of a million deliveries of a profile. */
export const costOfDeliveries = (prices: PriceList, measured: Measured, use: Use): Cost => {
  const functions = Object.entries(use.functions);
  const sum = (pick: (one: (typeof functions)[number][1]) => number) =>
    functions.reduce((all, [, one]) => all + pick(one), 0);
  const requests = { single: use.events, ten: use.events / 10, bus: 0 }[use.publishing];
  const busEvents = use.publishing === 'bus' ? use.events : 0;
  const logBytes = use.logBytes + requests * accessLogBytes;
  const lambda = functions.reduce((all, [name, one]) => {
    const gbSeconds = (one.invocations * memoryOf(name) * meanMs(measured, use, name)) / 1024 / 1000;
    const invocations = costOf(prices, 'functionRequests', one.invocations);
    return all + invocations + costOf(prices, 'functionGbSeconds', gbSeconds);
  }, 0);
  const queueRequests = sum((one) => one.queueRequests);
  const gbOfHistory = use.historyBytes / gb;
  return perMillion(use.deliveries, {
    'table writes': costOf(
      prices,
      'tableWrites',
      sum((one) => one.writeUnits),
    ),
    'table reads': costOf(
      prices,
      'tableReads',
      sum((one) => one.readUnits),
    ),
    'history of 30 days': costOf(prices, 'tableStorage', gbOfHistory) + costOf(prices, 'tableBackups', gbOfHistory),
    // Every message has a group (its cohort's or its publisher's), except those that the rule of the bus sends.
    queues:
      costOf(prices, 'queueRequests', queueRequests + busEvents) + costOf(prices, 'fairQueueRequests', queueRequests),
    'API Gateway or bus': costOf(prices, 'apiRequests', requests) + costOf(prices, 'busEvents', busEvents),
    Lambda: lambda,
    'CloudWatch Logs': costOf(prices, 'logIngestion', logBytes / gb) + costOf(prices, 'logStorage', logBytes / gb),
    'transfer out': costOf(prices, 'transferOut', use.transferBytes / gb),
  });
};

/** Returns the dollars of a million deliveries whose receivers take `moreMs` longer than the measured ones. */
export const withAnswersAfter = (prices: PriceList, measured: Measured, use: Use, moreMs: number): Cost => {
  const cost = costOfDeliveries(prices, measured, use);
  const invocations = use.functions['deliveries/deliver']?.invocations ?? 0;
  const gbSeconds = (invocations * memoryOf('deliveries/deliver') * moreMs) / 1024 / 1000;
  return { ...cost, Lambda: cost.Lambda + (costOf(prices, 'functionGbSeconds', gbSeconds) / use.deliveries) * million };
};

/** Returns the dollars of a million calls to an endpoint. */
export const costOfCalls = (prices: PriceList, measured: Measured, use: CallUse): Cost => {
  const { ms, memoryMb } = durationOf(measured, use.function, 2, 1);
  const logBytes = use.logBytes + use.calls * accessLogBytes;
  const gbSeconds = (use.calls * memoryMb * ms) / 1024 / 1000;
  return perMillion(use.calls, {
    'table writes': costOf(prices, 'tableWrites', use.writeUnits),
    'table reads': costOf(prices, 'tableReads', use.readUnits),
    'history of 30 days': 0,
    queues: costOf(prices, 'queueRequests', use.queueRequests),
    'API Gateway or bus': costOf(prices, 'apiRequests', use.calls),
    Lambda: costOf(prices, 'functionRequests', use.calls) + costOf(prices, 'functionGbSeconds', gbSeconds),
    'CloudWatch Logs': costOf(prices, 'logIngestion', logBytes / gb) + costOf(prices, 'logStorage', logBytes / gb),
    'transfer out': costOf(prices, 'transferOut', use.responseBytes / gb),
  });
};

/** Bytes that a batch of deliveries logs regardless of its size: the line of its metrics, and the fixed part of the line that lists the deliveries. */
const batchLogBytes = 279 + 220;

/** Returns the read units of a batch of `size` deliveries of one cohort: the cohort's item and its webhooks. */
const readUnitsOf = (size: number): number => 1 + size;

/** Returns the use with a different number of invocations of `deliveries/deliver`. Each invocation costs a receive, a delete and log lines. */
const withInvocations = (
  use: Use,
  invocations: number,
  unitsOf: (deliver: FunctionUse, more: number) => Pick<FunctionUse, 'readUnits' | 'writeUnits'>,
): Use => {
  const deliver = use.functions['deliveries/deliver'];
  if (deliver === undefined) return use;
  const more = invocations - deliver.invocations;
  const queueRequests = deliver.queueRequests + 2 * more;
  return {
    ...use,
    logBytes: use.logBytes + more * batchLogBytes,
    functions: {
      ...use.functions,
      'deliveries/deliver': { ...deliver, invocations, queueRequests, ...unitsOf(deliver, more) },
    },
  };
};

/** Returns the use with `size` deliveries per batch. Each batch reads a cohort, and writes the cohort's item and counts. */
export const inBatchesOf = (use: Use, size: number): Use => {
  const invocations = use.deliveries / size;
  return withInvocations(use, invocations, ({ writeUnits }, more) => ({
    readUnits: invocations * readUnitsOf(size),
    writeUnits: writeUnits + 2 * more,
  }));
};

/** Returns the use with `messages` messages per batch, each for another cohort. A batch reads the webhooks and writes counts once. */
export const withMessages = (use: Use, messages: number): Use =>
  withInvocations(use, use.events / messages, ({ readUnits, writeUnits }, more) => ({
    readUnits: readUnits + more * (readUnitsOf(use.fanOut) - 1),
    writeUnits: writeUnits + more,
  }));

const perMillion = (units: number, cost: Cost): Cost =>
  Object.fromEntries(parts.map((part) => [part, (cost[part] * million) / units])) as Cost;

/**
 * Returns the mean billed ms of an invocation. If all receivers answer, it was measured under Lambda's share of a CPU. In other profiles the function
 * waits for receivers: the time by which it took longer on the local stack is added.
 */
const meanMs = (measured: Measured, use: Use, name: string): number => {
  const own = use.functions[name];
  if (own === undefined) return 0;
  const healthy = measured.profiles.find((one) => isProfile(one, { ...use, receivers: 'healthy' }))?.functions[name];
  const known = measured.durations.filter((one) => one.function === name && one.payloadKb === use.payloadKb);
  if (known.length === 0) return own.ms / own.invocations;
  const units =
    name === 'events/publish'
      ? use.events / own.invocations
      : (name === 'deliveries/fan-out' ? use.deliveries : use.delivered + use.refused) / own.invocations;
  const waits =
    healthy === undefined || use.receivers === 'healthy'
      ? 0
      : own.ms / own.invocations - healthy.ms / healthy.invocations;
  return interpolated(known, units) + Math.max(0, waits);
};

const durationOf = ({ durations }: Measured, name: string, payloadKb: number, units: number): Duration => {
  const found = durations.find((one) => one.function === name && one.payloadKb === payloadKb && one.units === units);
  if (found === undefined) throw new Error(`The duration of ${name} was not measured.`);
  return found;
};

/** Returns the ms of a size that was not measured, by linear interpolation between the two nearest measured sizes. */
const interpolated = (known: readonly Duration[], units: number): number => {
  const sorted = known.toSorted((a, b) => a.units - b.units);
  const above = Math.max(
    1,
    sorted.findIndex((one) => one.units >= units),
  );
  const upper = sorted[units > (sorted.at(-1)?.units ?? 0) ? sorted.length - 1 : above];
  const lower = upper === undefined ? undefined : sorted[sorted.indexOf(upper) - 1];
  if (upper === undefined || lower === undefined) return sorted[0]?.ms ?? 0;
  return lower.ms + ((units - lower.units) * (upper.ms - lower.ms)) / (upper.units - lower.units);
};
