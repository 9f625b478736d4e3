/** The schemas of a request for a replay, and of its message in the replays queue. */
import * as v from 'valibot';
import { eventSelection } from '../../events/catalogue.ts';
import { requestItem, text } from '../../foundation/fields.ts';
import { idPattern, type ReplayId, type WebhookId } from '../../foundation/ids.ts';
import { parseTime } from '../../foundation/iso-time.ts';
import { field, idSchema } from '../../foundation/resource.ts';
import type { Settings } from '../../foundation/settings.ts';
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

const maxNamed = 100;

/** Returns the schema of a recovery; times become epoch ms, and it ends now if `until` is missing. */
export const newRecovery = ({ ownEvents }: Pick<Settings, 'ownEvents'>) =>
  v.pipe(
    requestItem('NewRecovery', {
      since: time,
      until: v.exactOptional(time),
      status: v.optional(v.nullable(v.picklist(replayable, `must be one of ${replayable.join(', ')}.`)), null),
      event: v.exactOptional(eventSelection(ownEvents)),
      webhook_ids: v.exactOptional(
        field(
          v.pipe(
            v.array(
              v.pipe(
                text,
                v.regex(idPattern, 'must be the id of a webhook: 24 lower-case hex characters.'),
                v.transform((id) => id as WebhookId),
              ),
              'must be a list of ids.',
            ),
            v.minLength(1, 'must have at least one id.'),
            v.maxLength(maxNamed, `must have at most ${maxNamed} ids; without it, all webhooks are meant.`),
          ),
          'Only deliveries of these webhooks, at most 100; omitted: of all that the caller can see.',
        ),
      ),
      dry_run: v.optional(
        field(v.boolean('must be true or false.'), 'Whether to count only: nothing is sent or stored.'),
        false,
      ),
    }),
    v.transform(({ since, until, ...fields }) => ({
      ...fields,
      since: parseTime(since) ?? 0,
      until: until === undefined ? Number.POSITIVE_INFINITY : (parseTime(until) ?? 0),
    })),
  );

export type NewRecovery = v.InferOutput<ReturnType<typeof newRecovery>>;

export const replayMessage = v.object({
  replay_id: idSchema<ReplayId>(),
});

export type ReplayMessage = v.InferOutput<typeof replayMessage>;
