/** The resource of a replay: its fields, their order and their documentation. */
import * as v from 'valibot';
import type { RecoveryId, ReplayId, WebhookId } from '../../foundation/ids.ts';
import { field, idSchema, type Resource, resource, timeSchema } from '../../foundation/resource.ts';
import type { DeliveryState } from '../resource.ts';

export const replayStates = ['running', 'finished', 'cancelled'] as const;

/** The statuses to which a replay can be limited: those of ended deliveries. Others will be attempted anyway. */
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
    '`running`: more deliveries follow, as fast as the receiver answers; `finished`: all are on their way; ' +
      '`cancelled`: the webhook was deleted, or its receiver asked for no more.',
  ),
  progress: field(
    v.strictObject({
      checked: count('Deliveries of the range that have been read so far.'),
      replayed: count('Deliveries that have been sent again.'),
      percent: field(
        v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100)),
        'How much of the time from its first delivery to its last one has been read. It never falls, and ends at 100.',
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
    'Only deliveries with this status; null for all that did not reach their receivers: `failed`, `held`, `blocked`.',
  ),
  event: field(v.nullable(v.string()), 'Only deliveries of these events: names and patterns, separated by commas.'),
  state: field(
    v.picklist(['running', 'finished']),
    '`running`: more deliveries follow, as fast as each receiver answers; `finished`: all are on their way or counted.',
  ),
  matched: field(
    v.nullable(v.pipe(v.number(), v.integer())),
    'How many deliveries are sent again, or would be; null until they are counted.',
  ),
  searched_to: field(
    v.nullable(timeSchema),
    'A dry run reads at most 5,000 deliveries, newest first. If there are more, `matched` counts those since then.',
  ),
  progress: replayResource.entries.progress,
  webhooks: field(
    v.pipe(v.number(), v.integer()),
    'How many webhooks have a replay of their own for it; 0 for a dry run.',
  ),
  skipped_webhook_ids: field(
    v.array(idSchema<WebhookId>()),
    'Webhooks left out because a replay of them was running. Repeat the recovery after it: nothing is sent twice.',
  ),
  created_at: field(timeSchema, 'When it was requested.'),
});

export type RecoveryResource = Resource<typeof recoveryResource>;
