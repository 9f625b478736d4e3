/** Resources: clients see only the fields of a record that the schema declares. */
import * as v from 'valibot';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { field, idSchema, present, type Resource, timeSchema } from '../../shared/foundation/resource.ts';

const attempt = v.strictObject({ number: v.number(), error: v.nullable(v.string()) });
const schema = v.strictObject({
  id: field(idSchema<WebhookId>(), 'The id.', '0123456789abcdef01234567' as WebhookId),
  name: field(v.nullable(v.string()), 'The name.'),
  created_at: field(timeSchema, 'The time of creation.'),
  attempts: field(v.optional(v.array(attempt)), 'The attempts.'),
  last: v.nullable(attempt),
});

const record: Resource<typeof schema> = {
  created_at: '2026-11-21T09:00:00.000Z',
  name: null,
  last: { number: 2, error: null },
  id: '0123456789abcdef01234567' as WebhookId,
};

describe('presenting a record', () => {
  it('returns the declared fields in the order of the schema', () => {
    expect(Object.keys(present(schema, record))).toEqual(['id', 'name', 'created_at', 'last']);
    expect(present(schema, record)).toEqual(record);
  });

  it('omits undeclared fields, also in nested objects and lists', () => {
    const internal = { secret_hash: 'abc' };
    const attempts = [{ number: 1, error: 'dns', ...internal }];
    const stored = { ...record, ...internal, attempts, last: { number: 2, error: null, ...internal } };
    expect(present(schema, stored)).toEqual({ ...record, attempts: [{ number: 1, error: 'dns' }] });
  });

  it('omits an optional field that is undefined, but keeps a null', () => {
    expect(Object.keys(present(schema, { ...record, attempts: undefined }))).not.toContain('attempts');
    expect(present(schema, { ...record, last: null })).toMatchObject({ name: null, last: null });
  });
});

// tsc checks that a resource type has the branded id and the optional fields of its schema.
expectTypeOf<Resource<typeof schema>['id']>().toEqualTypeOf<WebhookId>();
expectTypeOf<Resource<typeof schema>['attempts']>().toEqualTypeOf<
  readonly { readonly number: number; readonly error: string | null }[] | undefined
>();

it('a field keeps its description and example for the OpenAPI document', () => {
  expect(v.getDescription(schema.entries.name)).toBe('The name.');
  expect(v.getExamples(schema.entries.id)).toEqual(['0123456789abcdef01234567']);
});
