/** What clients may send about an integration. Lengths are Ghost's. */
import * as v from 'valibot';
import { emailAddress } from '../foundation/email.ts';
import { atMost, emptyAsNull, text } from '../foundation/fields.ts';

const name = v.pipe(text, atMost(191), v.regex(/\S/, 'must not be blank.'));

const description = v.pipe(v.nullable(v.pipe(text, atMost(2000))), emptyAsNull);

const contactEmail = v.pipe(v.nullable(v.pipe(text, atMost(191))), emptyAsNull, v.nullable(emailAddress(191)));

const canPublish = v.boolean('must be true or false.');

export const newIntegration = v.object(
  {
    name,
    description: v.optional(description, null),
    contact_email: v.optional(contactEmail, null),
    can_publish: v.optional(canPublish, false),
  },
  'must be an object.',
);

/** For a PUT: any of the fields. */
export const integrationChanges = v.object(
  {
    name: v.optional(name),
    description: v.optional(description),
    contact_email: v.optional(contactEmail),
    can_publish: v.optional(canPublish),
  },
  'must be an object.',
);

export type NewIntegration = v.InferOutput<typeof newIntegration>;
export type IntegrationChanges = v.InferOutput<typeof integrationChanges>;
