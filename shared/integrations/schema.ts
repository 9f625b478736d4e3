/** The fields of an integration that clients can send. Lengths are Ghost's. */
import * as v from 'valibot';
import { emailAddress } from '../foundation/email.ts';
import { changesOf, emptyAsNull, maxChars, objectOf, plainName, requestItem, text } from '../foundation/fields.ts';
import { named } from '../foundation/resource.ts';

const writable = objectOf({
  name: plainName,
  description: v.pipe(v.nullable(v.pipe(text, maxChars(2000))), emptyAsNull),
  contact_email: v.pipe(v.nullable(v.pipe(text, maxChars(191))), emptyAsNull, v.nullable(emailAddress(191))),
  can_publish: v.boolean('must be true or false.'),
  can_receive_staff_events: v.boolean('must be true or false.'),
});

export const newIntegration = requestItem('NewIntegration', {
  name: writable.entries.name,
  description: v.optional(writable.entries.description, null),
  contact_email: v.optional(writable.entries.contact_email, null),
  can_publish: v.optional(writable.entries.can_publish, false),
  can_receive_staff_events: v.optional(writable.entries.can_receive_staff_events, false),
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
});

export type KeyReplacement = v.InferOutput<typeof keyReplacement>;
