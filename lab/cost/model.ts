/** Calculates dollars from what was counted and from AWS's list prices. */
import { memoryOf } from '../../test/support/function-memory.ts';
import { costOf, type PriceList } from './price.ts';
import type { Use } from './use.ts';

const gb = 1e9;
/** Bytes of API Gateway's line for a request (infra/cdk/constructs/api.ts); Lambda writes none for success (ADR 18). */
const accessLogBytes = 231;

/** US dollars of a million deliveries, by part. `moreMs`: how much longer than `answerMs` receivers take, in ms. */
export const costOfDeliveries = (prices: PriceList, use: Use, moreMs = 0): Readonly<Record<string, number>> => {
  const functions = Object.entries(use.functions);
  const sum = (pick: (one: Use['functions'][string]) => number) =>
    functions.reduce((all, [, one]) => all + pick(one), 0);
  const gbSeconds = functions.reduce((all, [name, { invocations, ms }]) => {
    const billedMs = ms + (name === 'deliveries/deliver' ? moreMs : 0);
    return all + (invocations * memoryOf(name) * billedMs) / 1024 / 1000;
  }, 0);
  const queueRequests = sum((one) => one.queueRequests);
  const historyGb = use.historyBytes / gb;
  const logGb = (use.logBytes + use.events * accessLogBytes) / gb;
  const cost = {
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
    'history of 30 days': costOf(prices, 'tableStorage', historyGb) + costOf(prices, 'tableBackups', historyGb),
    // Every message has a group.
    queues: costOf(prices, 'queueRequests', queueRequests) + costOf(prices, 'fairQueueRequests', queueRequests),
    'API Gateway': costOf(prices, 'apiRequests', use.events),
    Lambda:
      costOf(
        prices,
        'functionRequests',
        sum((one) => one.invocations),
      ) + costOf(prices, 'functionGbSeconds', gbSeconds),
    'CloudWatch Logs': costOf(prices, 'logIngestion', logGb) + costOf(prices, 'logStorage', logGb),
    'transfer out': costOf(prices, 'transferOut', use.transferBytes / gb),
  };
  return Object.fromEntries(Object.entries(cost).map(([part, usd]) => [part, (usd * 1_000_000) / use.deliveries]));
};

export const total = (cost: Readonly<Record<string, number>>): number =>
  Object.values(cost).reduce((sum, usd) => sum + usd, 0);
