/** What a plan of faults may say (docs/faults.md), and the reading of it: what is wrong is told by place, value and reason. */
import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { type ContractLine, contract } from '../../../shared/contract.ts';

const lines: readonly ContractLine[] = contract;
const functions = lines.map((line) => line.function);
const queues = lines.flatMap((line) => (line.kind === 'queue' ? line.sources.map(({ queue }) => queue) : []));

const oneOf = (names: readonly string[]) =>
  v.pipe(
    v.string(),
    v.check((name) => names.includes(name), `is none of ${[...names].sort().join(', ')}`),
  );

const count = v.pipe(v.number(), v.integer(), v.minValue(1));
const milliseconds = v.pipe(v.number(), v.minValue(0));

/** How often: always, where none of these is given. */
const when = {
  /** Of all that the fault fits; 0.1 is one in ten. */
  probability: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
  /** Which of all that the fault fits, counted from 1. */
  numbers: v.optional(v.pipe(v.array(count), v.minLength(1))),
  /** At most so many. */
  times: v.optional(count),
};

/** Which calls; all where none of these is given. */
const scope = {
  function: v.optional(oneOf(functions)),
  service: v.optional(v.picklist(['dynamodb', 'sqs', 'ses'])),
  /** Such as `UpdateItem` or `SendMessageBatch`. */
  action: v.optional(v.pipe(v.string(), v.regex(/^[A-Z]\w+$/, 'is an action such as UpdateItem'))),
};

/** The call is carried out, and only its answer is lost. */
const after = { after: v.optional(v.boolean(), false) };

const faultSchema = v.variant('fault', [
  v.strictObject({ fault: v.literal('throttle'), ...scope, ...when }),
  v.strictObject({
    fault: v.literal('error'),
    ...scope,
    ...when,
    ...after,
    status: v.optional(v.picklist([500, 503]), 500),
  }),
  v.strictObject({ fault: v.literal('timeout'), ...scope, ...when, ...after }),
  v.strictObject({ fault: v.literal('reset'), ...scope, ...when, ...after }),
  v.strictObject({ fault: v.literal('slow'), ...scope, ...when, ms: milliseconds }),
  /** Some of a batch: entries that fail, keys and items that are left unprocessed. */
  v.strictObject({ fault: v.literal('partial'), ...scope, ...when }),
  /** A transaction meets another one. */
  v.strictObject({ fault: v.literal('conflict'), ...scope, ...when }),
  v.strictObject({
    fault: v.literal('kill'),
    ...scope,
    ...when,
    ...after,
    /** At this call of an invocation, counted from 1 among those that fit. */
    call: v.optional(count),
    /** Not at a call, but at a random moment within so many ms from the invocation's beginning. */
    withinMs: v.optional(milliseconds),
  }),
  v.strictObject({ fault: v.literal('duplicate'), queue: v.optional(oneOf(queues)), ...when }),
  v.strictObject({ fault: v.literal('late'), queue: v.optional(oneOf(queues)), ...when, ms: milliseconds }),
]);

const planSchema = v.strictObject({
  /** The same seed gives the same faults to the same sequence of calls. */
  seed: v.optional(v.pipe(v.number(), v.integer()), 1),
  faults: v.array(faultSchema),
});

export type Fault = v.InferOutput<typeof faultSchema>;
export type FaultPlan = v.InferOutput<typeof planSchema>;
export type FaultPlanInput = v.InferInput<typeof planSchema>;

/** A plan has a mistake; the message is all that its author needs to read. */
export class FaultPlanError extends Error {
  override readonly name = 'FaultPlanError';
}

/** @throws FaultPlanError that lists every mistake; `where` is what the plan is called in it */
export const parseFaultPlan = (input: unknown, where = 'the plan of faults'): FaultPlan => {
  const parsed = v.safeParse(planSchema, input);
  if (parsed.success) return parsed.output;
  const mistakes = parsed.issues.map((issue) => {
    const given = JSON.stringify(issue.input) ?? 'nothing';
    return `  ${v.getDotPath(issue) ?? '(the plan)'}: ${given} is refused: ${issue.message}`;
  });
  throw new FaultPlanError(
    `${where} has ${mistakes.length === 1 ? 'a mistake' : 'mistakes'} (see docs/faults.md):\n${mistakes.join('\n')}`,
  );
};

/** @throws FaultPlanError also where there is no such file, or no JSON in it */
export const readFaultPlan = (file: string): FaultPlan => {
  let input: unknown;
  try {
    input = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new FaultPlanError(`${file} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
  return parseFaultPlan(input, file);
};
