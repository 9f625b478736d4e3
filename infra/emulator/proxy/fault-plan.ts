/** The plan of faults (lab/reports/faults.md): its schema, and errors that name place, value and rule. */
import * as v from 'valibot';
import type { Names } from '../names.ts';

const count = v.pipe(v.number(), v.integer(), v.minValue(1));
const milliseconds = v.pipe(v.number(), v.minValue(0));

/** How often a fault is injected. Default: always. */
const when = {
  /** Share of the matching calls; 0.1 is one in ten. */
  probability: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
  /** Which of the matching calls, counted from 1. */
  numbers: v.optional(v.pipe(v.array(count), v.minLength(1))),
  times: v.optional(count),
};

/** The call is carried out, and only its answer is lost. */
const after = { after: v.optional(v.boolean(), false) };

const planSchemaFor = (names: Names) => {
  const oneOf = (values: readonly string[]) =>
    v.pipe(
      v.string(),
      v.check((value) => values.includes(value), `must be one of ${values.toSorted().join(', ')}`),
    );
  const queue = v.optional(oneOf(Object.values(names.queues)));
  /** Which calls. Default: all. */
  const scope = {
    function: v.optional(oneOf(Object.values(names.functions))),
    service: v.optional(v.picklist(['dynamodb', 'sqs', 'ses'])),
    /** Such as `UpdateItem` or `SendMessageBatch`. */
    action: v.optional(v.pipe(v.string(), v.regex(/^[A-Z]\w+$/, 'must be an action such as UpdateItem'))),
  };
  const status = v.optional(v.picklist([500, 503]), 500);
  const fault = v.variant('fault', [
    v.strictObject({ fault: v.literal('throttle'), ...scope, ...when }),
    v.strictObject({ fault: v.literal('error'), ...scope, ...when, ...after, status }),
    v.strictObject({ fault: v.literal('timeout'), ...scope, ...when, ...after }),
    v.strictObject({ fault: v.literal('reset'), ...scope, ...when, ...after }),
    v.strictObject({ fault: v.literal('slow'), ...scope, ...when, ms: milliseconds }),
    /** Part of a batch: entries that fail, keys and items that are left unprocessed. */
    v.strictObject({ fault: v.literal('partial'), ...scope, ...when }),
    v.strictObject({ fault: v.literal('conflict'), ...scope, ...when }),
    v.strictObject({
      fault: v.literal('kill'),
      ...scope,
      ...when,
      ...after,
      /** At this call of an invocation, counted from 1 among the matching ones. */
      call: v.optional(count),
      /** At a random time within this many ms of the invocation's start, instead of at a call. */
      withinMs: v.optional(milliseconds),
    }),
    v.strictObject({ fault: v.literal('duplicate'), queue, ...when }),
    v.strictObject({ fault: v.literal('late'), queue, ...when, ms: milliseconds }),
  ]);
  return v.strictObject({
    /** The same seed injects the same faults into the same sequence of calls. */
    seed: v.optional(v.pipe(v.number(), v.integer()), 1),
    faults: v.array(fault),
  });
};

type PlanSchema = ReturnType<typeof planSchemaFor>;
export type FaultPlan = v.InferOutput<PlanSchema>;
export type FaultPlanInput = v.InferInput<PlanSchema>;
export type Fault = FaultPlan['faults'][number];

export class FaultPlanError extends Error {
  override readonly name = 'FaultPlanError';
}

/** Parses a plan for an application with these names. @throws FaultPlanError */
export const parseFaultPlan = (input: unknown, names: Names): FaultPlan => {
  const parsed = v.safeParse(planSchemaFor(names), input);
  if (parsed.success) return parsed.output;
  const mistakes = parsed.issues.map((issue) => {
    const received = JSON.stringify(issue.input) ?? 'missing';
    return `  ${v.getDotPath(issue) ?? '(the plan)'}: ${received} is invalid: ${issue.message}`;
  });
  throw new FaultPlanError(`The fault plan is invalid (see lab/reports/faults.md):\n${mistakes.join('\n')}`);
};
