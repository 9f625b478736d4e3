/** What clients can send about integrations: the settable fields of the resource, and how a key is replaced. */
import * as v from 'valibot';
import { systemClock } from '../foundation/clock.ts';
import { changesOf, creationOf, objectOf, requestItem, text } from '../foundation/fields.ts';
import { parseTime } from '../foundation/iso-time.ts';
import { named, settableEntries } from '../foundation/resource.ts';
import { scopes } from '../foundation/scopes.ts';
import { integrationResource } from './integration.ts';

const fields = settableEntries(integrationResource);

/** The end of a key, as epoch ms; null for none. */
const keyEnd = v.nullable(
  v.pipe(
    text,
    v.check(
      (value) => (parseTime(value) ?? 0) > systemClock(),
      'must be a time in the future, such as 2027-11-21T09:00:00Z or 2027-11-21.',
    ),
    v.transform((value) => parseTime(value) ?? 0),
  ),
);

const keyLimits = {
  scopes: v.exactOptional(
    v.nullable(
      v.pipe(
        v.array(v.picklist(scopes, `must be one of ${scopes.join(', ')}.`), 'must be a list.'),
        v.minLength(1, 'must name a scope, or be null for all that the integration may do.'),
      ),
    ),
  ),
  valid_until: v.exactOptional(keyEnd),
};

/** What the key of an integration is limited to: omitted limits stay as they are, and null removes one. */
export type KeyLimitChanges = v.InferOutput<ReturnType<typeof objectOf<typeof keyLimits>>>;

/** An integration may do nothing beyond webhooks unless the request says so. */
export const newIntegration = requestItem('NewIntegration', {
  ...creationOf(fields),
  can_publish: v.optional(fields.can_publish, false),
  can_receive_staff_events: v.optional(fields.can_receive_staff_events, false),
  api_keys: v.exactOptional(v.pipe(v.array(objectOf(keyLimits), 'must be a list.'), v.length(1, 'must have one key.'))),
});

export const integrationChanges = named('IntegrationChanges', changesOf({ entries: fields }));

export type NewIntegration = v.InferOutput<typeof newIntegration>;
export type IntegrationChanges = v.InferOutput<typeof integrationChanges>;

/** How a key is replaced: for how many hours, at most a week, the old one is still valid. */
export const keyReplacement = requestItem('KeyReplacement', {
  previous_valid_hours: v.optional(
    v.pipe(
      v.number('must be a number.'),
      v.integer('must be a whole number.'),
      v.minValue(0, 'must be 0 or more.'),
      v.maxValue(168, 'must be at most 168.'),
    ),
    0,
  ),
  ...keyLimits,
});

export type KeyReplacement = v.InferOutput<typeof keyReplacement>;
