/** Fault injection: makes AWS calls and messages fail by a plan (`fault-plan.ts`), repeatably by its seed. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Names } from '../names.ts';
import { type Answer, type Call, NoAnswer, type Step } from './call.ts';
import { answerPartly, conflict, fitsConflict, fitsPartial, serverError, throttled } from './fault-answers.ts';
import { type Fault, type FaultPlan, type FaultPlanInput, parseFaultPlan } from './fault-plan.ts';
import { randomNumbers } from './random.ts';

export interface Faults {
  readonly step: Step;
  /** An invocation starts in this environment; `kill` ends it as if its machine had failed. */
  begins(functionName: string, environment: string, kill: () => void): void;
  ends(environment: string): void;
  /** Whether a processed message becomes visible again, as SQS at-least-once delivery allows. */
  isShownAgain(queue: string): boolean;
  /** Milliseconds by which a message is late, and so out of order. */
  lateness(queue: string): number;
  /** Replaces the plan; an empty one ends all faults. @throws FaultPlanError */
  set(plan: FaultPlanInput): void;
  /** How often each fault of the plan was injected, in the plan's order. */
  struck(): readonly { readonly fault: Fault; readonly times: number }[];
}

type CallFault = Exclude<Fault, { fault: 'duplicate' | 'late' }>;

interface Rule<Kind extends Fault = Fault> {
  readonly fault: Kind;
  readonly random: () => number;
  fitted: number;
  struck: number;
}

interface Invocation {
  readonly kill: () => void;
  /** Calls so far, for each fault with a call number. */
  readonly calls: Map<Rule, number>;
  readonly timers: NodeJS.Timeout[];
  dead: boolean;
}

/** Starts with this plan. */
export const makeFaults = (names: Names, initial: unknown = { faults: [] }): Faults => {
  let rules: readonly Rule[] = [];
  const invocations = new Map<string, Invocation>();
  const isOf = (wanted: string | undefined, functionName: string) =>
    wanted === undefined || wanted === (names.functions[functionName] ?? functionName);
  const ofQueue = (queueName: string, kind: 'duplicate' | 'late') => {
    const queue = names.queues[queueName] ?? queueName;
    return rules.find((rule) => rule.fault.fault === kind && (rule.fault.queue ?? queue) === queue && strikes(rule));
  };
  const set = (input: unknown) => {
    const { seed, faults }: FaultPlan = parseFaultPlan(input, names);
    rules = faults.map((fault, index) => ({ fault, random: randomNumbers(seed * 1000 + index), fitted: 0, struck: 0 }));
  };
  set(initial);
  return {
    set,
    struck: () => rules.map(({ fault, struck }) => ({ fault, times: struck })),
    isShownAgain: (queue) => ofQueue(queue, 'duplicate') !== undefined,
    lateness(queue) {
      const rule = ofQueue(queue, 'late');
      return rule?.fault.fault === 'late' ? rule.random() * rule.fault.ms : 0;
    },
    begins(functionName, environment, kill) {
      const invocation: Invocation = { kill, calls: new Map(), timers: [], dead: false };
      invocations.set(environment, invocation);
      for (const rule of rules)
        if (isAtRandom(rule) && isOf(rule.fault.function, functionName) && strikes(rule))
          invocation.timers.push(setTimeout(() => end(invocation), rule.random() * (rule.fault.withinMs ?? 0)));
    },
    ends(environment) {
      const invocation = invocations.get(environment);
      for (const timer of invocation?.timers ?? []) clearTimeout(timer);
      // Calls that a killed environment still sends must be recognised.
      if (invocation?.dead === false) invocations.delete(environment);
    },
    async step(call, next) {
      const invocation = invocations.get(call.environment ?? '');
      if (invocation?.dead) throw new NoAnswer('silence');
      const rule = rules.find(
        (candidate) =>
          isOfCalls(candidate) &&
          isOf(candidate.fault.function, call.caller) &&
          fits(candidate, call, invocation) &&
          strikes(candidate),
      );
      return rule !== undefined && isOfCalls(rule) ? inject(rule, call, next, invocation) : next(call);
    },
  };
};

const inject = async (
  { fault, random }: Rule<CallFault>,
  call: Call,
  next: (call: Call) => Promise<Answer>,
  invocation: Invocation | undefined,
): Promise<Answer> => {
  // The call is carried out, but its caller does not learn it: a retry finds the write done.
  if ('after' in fault && fault.after) await next(call);
  switch (fault.fault) {
    case 'throttle':
      return throttled(call);
    case 'error':
      return serverError(call, fault.status);
    case 'timeout':
      throw new NoAnswer('silence');
    case 'reset':
      throw new NoAnswer('reset');
    case 'slow':
      await wait(fault.ms);
      return next(call);
    case 'partial':
      return answerPartly(call, next, random);
    case 'conflict':
      return conflict(call);
    case 'kill':
      if (invocation !== undefined) end(invocation);
      throw new NoAnswer('silence');
  }
};

/** Stops the environment: calls that it still sends are not carried out. */
const end = (invocation: Invocation): void => {
  invocation.dead = true;
  invocation.kill();
};

const isOfCalls = (rule: Rule): rule is Rule<CallFault> =>
  rule.fault.fault !== 'duplicate' && rule.fault.fault !== 'late' && !isAtRandom(rule);

const isAtRandom = (rule: Rule): rule is Rule<Extract<Fault, { fault: 'kill' }>> =>
  rule.fault.fault === 'kill' && rule.fault.withinMs !== undefined;

const fits = (rule: Rule<CallFault>, call: Call, invocation: Invocation | undefined): boolean => {
  const { fault } = rule;
  if ((fault.service ?? call.service) !== call.service || (fault.action ?? call.action) !== call.action) return false;
  if (fault.fault === 'partial') return fitsPartial(call);
  if (fault.fault === 'conflict') return fitsConflict(call);
  if (fault.fault !== 'kill') return true;
  if (invocation === undefined) return false;
  const number = (invocation.calls.get(rule) ?? 0) + 1;
  invocation.calls.set(rule, number);
  return (fault.call ?? number) === number;
};

const strikes = (rule: Rule): boolean => {
  const { probability = 1, numbers, times = Number.POSITIVE_INFINITY } = rule.fault;
  rule.fitted += 1;
  // Drawn for every match, so that the limits of one rule do not shift the random numbers of others.
  const isDrawn = rule.random() < probability;
  if (!isDrawn || rule.struck >= times || numbers?.includes(rule.fitted) === false) return false;
  rule.struck += 1;
  return true;
};
