/** What clients may send about a replay, and what the events queue carries for it. */
import * as v from 'valibot';
import { parseTime } from '../deliveries/filter.ts';
import { rule, text } from '../fields.ts';
import { idPattern, type JobId } from '../ids.ts';
import { replayable } from './replay.ts';

const timeFormat = 'must be a time such as 2026-11-21T09:00:00Z or a day such as 2026-11-21.';

const time = v.pipe(
  text,
  v.check((value) => parseTime(value) !== undefined, timeFormat),
  v.transform((value) => parseTime(value) ?? 0),
);

/** A replay to begin; times become epoch ms. */
export const newReplay = v.pipe(
  v.object(
    {
      since: time,
      until: time,
      status: v.optional(v.nullable(v.picklist(replayable, `must be one of ${replayable.join(', ')}.`)), null),
    },
    'must be an object.',
  ),
  v.forward(
    rule(({ since, until }) =>
      until > since ? undefined : { rule: 'after_since', message: '`until` must be after `since`.' },
    ),
    ['until'],
  ),
);

export type NewReplay = v.InferOutput<typeof newReplay>;

/** The events queue carries replays too: as a fan-out goes from one event to many webhooks, they go from many events to one. */
export const replayMessage = v.object({
  kind: v.literal('replay'),
  job_id: v.pipe(
    v.string(),
    v.regex(idPattern),
    v.transform((id) => id as JobId),
  ),
});

export type ReplayMessage = v.InferOutput<typeof replayMessage>;
