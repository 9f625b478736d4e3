/** The resource of a replay: its fields, their order and their documentation. */
import * as v from 'valibot';
import type { RecoveryId, ReplayId, WebhookId } from '../../foundation/ids.ts';
import { field, idSchema, type Resource, resource, timeSchema } from '../../foundation/resource.ts';
import type { DeliveryState } from '../resource.ts';

export const replayStates = ['running', 'finished', 'cancelled'] as const;

/** The states to which a replay can be limited: the statuses of ended deliveries. The others will be attempted anyway. */
export const replayable = [
  'delivered',
  'failed',
  'cancelled',
  'blocked',
  'held',
  'superseded',
] as const satisfies DeliveryState[];

const count = (description: string) => field(v.pipe(v.number(), v.integer()), description);

export const replayResource = resource('Replay', {
  id: field(idSchema<ReplayId>(), 'The id of the replay.'),
  webhook_id: field(idSchema<WebhookId>(), 'The webhook whose deliveries are sent again.'),
  since: field(timeSchema, 'Deliveries of events that were accepted then or later are included.'),
  until: field(
    timeSchema,
    'Deliveries of events that were accepted before are included; at most the time of the request.',
  ),
  status: field(
    v.nullable(v.picklist(replayable)),
    'Only deliveries with this status; null for all that have ended, but for `superseded` ones.',
  ),
  state: field(
    v.picklist(replayStates),
    '`running`: further deliveries follow, as fast as the receiver answers; `finished`: all are on their way; `cancelled`: the webhook was deleted.',
  ),
  progress: field(
    v.strictObject({
      checked: count('Deliveries of the range that have been read so far.'),
      replayed: count('Deliveries that have been sent again.'),
      percent: field(
        v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100)),
        'How much of the range has been read: the share of the time from its first delivery to its last one. It never falls, and is 100 when the replay has finished.',
      ),
    }),
    'The progress.',
  ),
  created_at: field(timeSchema, 'When it was requested.'),
  updated_at: field(timeSchema, 'When it last made progress.'),
});

export type ReplayResource = Resource<typeof replayResource>;

export const recoveryResource = resource('Recovery', {
  id: field(
    v.nullable(idSchema<RecoveryId>()),
    'The id of the recovery; null for a dry run, of which nothing is stored.',
  ),
  since: replayResource.entries.since,
  until: replayResource.entries.until,
  status: field(
    v.nullable(v.picklist(replayable)),
    'Only deliveries with this status; null for all that did not reach their receivers: `failed`, `held` and `blocked`.',
  ),
  event: field(v.nullable(v.string()), 'Only deliveries of these events: names and patterns, separated by commas.'),
  state: field(
    v.picklist(['running', 'finished']),
    '`running`: further deliveries follow, each webhook as fast as its receiver answers; `finished`: all are on their way, or were counted.',
  ),
  matched: field(
    v.nullable(v.pipe(v.number(), v.integer())),
    'How many deliveries are sent again, or would be; null until they are counted.',
  ),
  searched_to: field(
    v.nullable(timeSchema),
    'A dry run counts from the newest delivery on and reads at most 5,000 at once; if there are more, `matched` counts those since this time.',
  ),
  progress: replayResource.entries.progress,
  webhooks: field(
    v.pipe(v.number(), v.integer()),
    'How many webhooks have a replay of their own for it; 0 for a dry run.',
  ),
  skipped_webhook_ids: field(
    v.array(idSchema<WebhookId>()),
    'Webhooks that are left out, because a replay of them was running. Request the recovery again when it has finished: what was sent is not sent again.',
  ),
  created_at: field(timeSchema, 'When it was requested.'),
});

export type RecoveryResource = Resource<typeof recoveryResource>;
