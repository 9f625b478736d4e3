/** The resource of a replay: its fields, their order and their documentation. */
import * as v from 'valibot';
import type { ReplayId, WebhookId } from '../../foundation/ids.ts';
import { field, idSchema, type Resource, resource, timeSchema } from '../../foundation/resource.ts';
import type { DeliveryState } from '../resource.ts';

export const replayStates = ['running', 'finished', 'cancelled'] as const;

/** The states to which a replay can be limited: the statuses of ended deliveries. The others will be attempted anyway. */
export const replayable = ['delivered', 'failed', 'cancelled', 'blocked', 'held'] as const satisfies DeliveryState[];

const count = (description: string) => field(v.pipe(v.number(), v.integer()), description);

export const replayResource = resource('Replay', {
  id: field(idSchema<ReplayId>(), 'The id of the replay.'),
  webhook_id: field(idSchema<WebhookId>(), 'The webhook whose deliveries are sent again.'),
  since: field(timeSchema, 'Deliveries of events that were accepted then or later are included.'),
  until: field(
    timeSchema,
    'Deliveries of events that were accepted before are included; at most the time of the request.',
  ),
  status: field(v.nullable(v.picklist(replayable)), 'Only deliveries with this status; null for all that have ended.'),
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
