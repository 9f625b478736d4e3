/** The resource of the statistics: its fields, order and documentation. */
import * as v from 'valibot';
import { queueNames } from '../contract.ts';
import { field, type Resource, resource, timeSchema } from '../foundation/resource.ts';

/** The periods, and the length of the buckets that each is divided into. */
export const periods = ['hour', 'day', 'week'] as const;
export type Period = (typeof periods)[number];

const count = (description: string) => field(v.pipe(v.number(), v.integer()), description, 12);

const counted = {
  accepted: count('Accepted events.'),
  delivered: count('Deliveries that a receiver answered with 2xx.'),
  retrying: count('Attempts that failed and are followed by another one.'),
  failed: count('Deliveries that ended as `failed` or `blocked`.'),
  held: count('Deliveries that ended as `held`, until a replay sends them.'),
};

const latency = field(
  v.strictObject({
    p50_ms: field(
      v.nullable(v.number()),
      'Half of the deliveries took at most this long, in milliseconds; null without deliveries.',
      85,
    ),
    p95_ms: field(
      v.nullable(v.number()),
      '95 % of the deliveries took at most this long, in milliseconds; null without deliveries.',
      240,
    ),
  }),
  'From the acceptance of an event to its delivery, retries included, at most a fifth off; ' +
    'redeliveries, replays and pings do not count.',
);

export const deadLetters = v.strictObject({
  queue: field(v.picklist(queueNames), 'The queue they came from.'),
  messages: field(v.pipe(v.number(), v.integer()), 'How many.', 3),
});

export type DeadLetters = Resource<typeof deadLetters>;

export const statsResource = resource('Stats', {
  period: field(v.picklist(periods), '`hour` in buckets of 5 minutes, `day` of 30 minutes, or `week` of 2 hours.'),
  since: field(timeSchema, 'The beginning of the first bucket.'),
  until: field(timeSchema, 'The end of the last bucket, which is not over yet.'),
  ...counted,
  latency,
  buckets: field(
    v.array(v.strictObject({ start: field(timeSchema, 'The beginning of the bucket.'), ...counted, latency })),
    'The same counts by time, oldest first, also where nothing was counted.',
  ),
  dead_letters: field(
    v.optional(v.array(deadLetters)),
    'With `include=dead_letters`: the queues with messages that could not be processed and wait for an operator, who ' +
      'moves them back with `npm run ops -- redrive`. As of up to a minute ago.',
  ),
});

export type StatsResource = Resource<typeof statsResource>;
