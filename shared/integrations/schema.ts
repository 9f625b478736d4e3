/** What clients may send about an integration. Lengths are Ghost's. */
import * as v from 'valibot';
import { atMost, emptyAsNull, text } from '../fields.ts';

const name = v.pipe(text, atMost(191), v.regex(/\S/, 'must not be blank.'));

const description = v.pipe(v.nullable(v.pipe(text, atMost(2000))), emptyAsNull);

const anAddress = 'must be an e-mail address, such as ada@example.com, or null.';
const contactEmail = v.pipe(
  v.nullable(v.pipe(text, atMost(191))),
  emptyAsNull,
  // Both rules say the same to a reader, so one sentence is enough.
  v.config(v.nullable(v.pipe(v.string(), v.rfcEmail(anAddress), v.regex(/@[^@]+\.[^@.]+$/, anAddress))), {
    abortPipeEarly: true,
  }),
);

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
