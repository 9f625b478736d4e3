/** The fields of an integration that clients can send. Lengths are Ghost's. */
import * as v from 'valibot';
import { systemClock } from '../foundation/clock.ts';
import { emailAddress } from '../foundation/email.ts';
import { changesOf, emptyAsNull, maxChars, objectOf, plainName, requestItem, text } from '../foundation/fields.ts';
import { parseTime } from '../foundation/iso-time.ts';
import { named } from '../foundation/resource.ts';
import { scopes } from '../foundation/scopes.ts';

const writable = objectOf({
  name: plainName,
  description: v.pipe(v.nullable(v.pipe(text, maxChars(2000))), emptyAsNull),
  contact_email: v.pipe(v.nullable(v.pipe(text, maxChars(191))), emptyAsNull, v.nullable(emailAddress(191))),
  can_publish: v.boolean('must be true or false.'),
  can_receive_staff_events: v.boolean('must be true or false.'),
});

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

export const newIntegration = requestItem('NewIntegration', {
  name: writable.entries.name,
  description: v.optional(writable.entries.description, null),
  contact_email: v.optional(writable.entries.contact_email, null),
  can_publish: v.optional(writable.entries.can_publish, false),
  can_receive_staff_events: v.optional(writable.entries.can_receive_staff_events, false),
  api_keys: v.exactOptional(v.pipe(v.array(objectOf(keyLimits), 'must be a list.'), v.length(1, 'must have one key.'))),
});

export const integrationChanges = named('IntegrationChanges', changesOf(writable));

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
