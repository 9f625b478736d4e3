/** The schema of what clients see of a replay. */
import * as v from 'valibot';
import { responseId, responseTime } from '../../foundation/response-fields.ts';
import { replayable, replayStates } from './replay.ts';

const count = (description: string) => v.pipe(v.number(), v.integer(), v.description(description));

export const replayResponse = v.strictObject({
  id: v.pipe(responseId, v.description('Names the replay.')),
  webhook_id: v.pipe(responseId, v.description('The webhook whose deliveries are sent once more.')),
  since: v.pipe(responseTime, v.description('What was accepted then or later is in.')),
  until: v.pipe(
    responseTime,
    v.description('What was accepted before that is in; at the latest when the replay was asked for.'),
  ),
  status: v.pipe(
    v.nullable(v.picklist(replayable)),
    v.description('Only deliveries of this status; null for all that have ended.'),
  ),
  state: v.pipe(
    v.picklist(replayStates),
    v.description('`finished`: all of them are on their way; `cancelled`: the webhook was deleted meanwhile.'),
  ),
  progress: v.pipe(
    v.strictObject({
      checked: count('Deliveries of the range that were looked at so far.'),
      replayed: count('Those of them that were sent once more.'),
    }),
    v.description('How far it is.'),
  ),
  created_at: v.pipe(responseTime, v.description('When it was asked for.')),
  updated_at: v.pipe(responseTime, v.description('When it last went on.')),
});

export type ReplayResponse = v.InferOutput<typeof replayResponse>;
