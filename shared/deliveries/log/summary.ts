/** How a webhook does: its newest deliveries counted, and how long its receiver takes to answer. */
import * as v from 'valibot';
import type { WebhookId } from '../../foundation/ids.ts';
import { field, type Resource } from '../../foundation/resource.ts';
import type { Delivery } from '../delivery.ts';
import { newestDeliveries } from '../records/store.ts';

/** How many deliveries are looked at: about 350 KB, one page of DynamoDB. */
const lookedAt = 1000;

const count = (description: string) => field(v.pipe(v.number(), v.integer()), description, 12);
const ms = (description: string) => field(v.nullable(v.number()), description, 85);

export const summaryResource = field(
  v.strictObject({
    deliveries: count('Its newest deliveries, at most 1,000; pings do not count.'),
    delivered: count('Those that were delivered.'),
    undelivered: count('Those that failed, are held or were blocked.'),
    p50_ms: ms('Half of the successful attempts were answered within so many milliseconds; null without one.'),
    p95_ms: ms('95 % of the successful attempts were answered within so many milliseconds; null without one.'),
  }),
  'With `include=summary`.',
);

type Summary = Resource<typeof summaryResource>;

/** Counts the newest deliveries of a webhook. */
export const readSummary = async (webhook: WebhookId): Promise<Summary> =>
  summaryOf(await newestDeliveries(webhook, lookedAt));

/** Counts deliveries, and returns the percentiles of the time in ms that successful attempts took. */
const summaryOf = (deliveries: readonly Pick<Delivery, 'trigger' | 'status' | 'log'>[]): Summary => {
  const counted = deliveries.filter(({ trigger }) => trigger !== 'ping');
  const delivered = counted.filter(({ status }) => status === 'delivered');
  const durations = delivered.flatMap(({ log }) => log.at(-1)?.duration_ms ?? []).sort((one, other) => one - other);
  const share = (part: number): number | null => durations[Math.ceil(part * durations.length) - 1] ?? null;
  return {
    deliveries: counted.length,
    delivered: delivered.length,
    undelivered: counted.filter(({ status }) => ['failed', 'held', 'blocked'].includes(status)).length,
    p50_ms: share(0.5),
    p95_ms: share(0.95),
  };
};
