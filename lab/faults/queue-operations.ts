/** Random operations on a queue: those that our code and Lambda's event source perform, and time that passes. */
import fc from 'fast-check';

export interface Entry {
  readonly Id: string;
  readonly MessageBody: string;
  readonly DelaySeconds?: number | undefined;
  readonly MessageGroupId?: string | undefined;
}

export type QueueOperation =
  | { readonly kind: 'send'; readonly entries: readonly Entry[] }
  | { readonly kind: 'receive' }
  | { readonly kind: 'delete'; readonly positions: readonly number[] }
  | { readonly kind: 'wait'; readonly seconds: number }
  | { readonly kind: 'redrive' };

const entry = fc.record(
  {
    Id: fc.constantFrom('0', '1', '2', '3', '4'),
    MessageBody: fc.constantFrom('a', 'b', 'c', 'd'),
    DelaySeconds: fc.option(fc.integer({ min: 0, max: 8 }), { nil: undefined }),
    MessageGroupId: fc.option(fc.constantFrom('g', 'h'), { nil: undefined }),
  },
  { requiredKeys: ['Id', 'MessageBody'] },
);

/** Mostly with distinct ids; sometimes none, a duplicate, or eleven entries, which SQS refuses. */
const entries = fc.oneof(
  { weight: 8, arbitrary: fc.uniqueArray(entry, { minLength: 1, maxLength: 4, selector: ({ Id }) => Id }) },
  { weight: 1, arbitrary: fc.array(entry, { maxLength: 3 }) },
  {
    weight: 1,
    arbitrary: fc.constant(Array.from({ length: 11 }, (_, Id) => ({ Id: String(Id), MessageBody: 'a' }))),
  },
);

export const queueOperations: fc.Arbitrary<QueueOperation[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('send' as const), entries }) },
    { weight: 6, arbitrary: fc.constant<QueueOperation>({ kind: 'receive' }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('delete' as const),
        positions: fc.array(fc.nat({ max: 5 }), { maxLength: 3 }),
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 20 }) }),
    },
    { weight: 1, arbitrary: fc.constant<QueueOperation>({ kind: 'redrive' }) },
  ),
  { minLength: 8, maxLength: 40 },
);
