/** The schemas of a request for a replay, and of its message in the replays queue. */
import * as v from 'valibot';
import { requestItem, text } from '../../foundation/fields.ts';
import type { ReplayId } from '../../foundation/ids.ts';
import { parseTime } from '../../foundation/iso-time.ts';
import { idSchema } from '../../foundation/resource.ts';
import { replayable } from './resource.ts';

const timeFormat = 'must be a time such as 2026-11-21T09:00:00Z or a day such as 2026-11-21.';

const time = v.pipe(
  text,
  v.check((value) => parseTime(value) !== undefined, timeFormat),
);

/** A requested replay; times become epoch ms. */
export const newReplay = v.pipe(
  requestItem('NewReplay', {
    since: time,
    until: time,
    status: v.optional(v.nullable(v.picklist(replayable, `must be one of ${replayable.join(', ')}.`)), null),
  }),
  v.rawTransform(({ dataset: { value }, addIssue }) => {
    const since = parseTime(value.since) ?? 0;
    const until = parseTime(value.until) ?? 0;
    // Reported with the field and its value, so that `details` describes what was sent.
    if (until <= since)
      addIssue({
        expected: 'after_since',
        message: '`until` must be after `since`.',
        path: [{ type: 'object', origin: 'value', input: value, key: 'until', value: value.until }],
        input: value.until,
      });
    return { since, until, status: value.status };
  }),
);

export type NewReplay = v.InferOutput<typeof newReplay>;

/** The message of the replays queue. */
export const replayMessage = v.object({
  replay_id: idSchema<ReplayId>(),
});

export type ReplayMessage = v.InferOutput<typeof replayMessage>;
