/** What all scenarios share: how they start, and how they report figures with gates. */
import { quantile } from '../../bench/statistics.ts';
import type { Mutate } from '../../world/bundle.ts';
import { Customers, type Hook, type PublishedEvent } from '../../world/customers.ts';
import { Stack, type StackOptions } from '../../world/stack.ts';
import type { World } from '../../world/world.ts';

export interface Options extends Pick<StackOptions, 'stage' | 'onLine'> {
  readonly seed: number;
  /** The fraction of the full size, from 0 to 1; below 1 for a quick run. */
  readonly scale?: number;
  readonly mutate?: Mutate | undefined;
}

export interface Gate {
  readonly atMost?: number;
  readonly atLeast?: number;
}

export interface Report {
  readonly figures: Readonly<Record<string, number>>;
  readonly gates: Readonly<Record<string, Gate>>;
  readonly examples: readonly string[];
}

export interface Scenario {
  readonly shows: string;
  readonly run: (options: Options) => Promise<Report>;
}

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

export interface Scene {
  readonly stack: Stack;
  readonly world: World;
  readonly customers: Customers;
}

/** Starts a stage with customers. */
export const begin = async ({ seed, stage, mutate, onLine }: Options): Promise<Scene> => {
  const stack = await Stack.start({ seed, mutate, ...(stage && { stage }), ...(onLine && { onLine }) });
  return { stack, world: stack.world, customers: new Customers(stack) };
};

/** Repeats an action at an interval for a duration; resolves once the last repetition has started. */
export const every = async (world: World, intervalMs: number, forMs: number, act: () => unknown): Promise<void> => {
  for (const end = world.now + forMs; world.now < end; await world.sleep(intervalMs)) act();
};

type Chosen = (hook: Hook, event: PublishedEvent) => boolean;

/** The deliveries as receivers saw them; in a burst with `debounce`, a later event stands for the earlier ones. */
export interface Result {
  readonly deliveries: number;
  readonly lost: number;
  /** Milliseconds from acceptance to the first 2xx. */
  readonly waits: readonly number[];
}

/** Reads the ledger; `chosen` selects which deliveries count. */
export const resultOf = (
  { stack, customers }: Scene,
  chosen: Chosen = () => true,
): Result & { readonly examples: string[] } => {
  const waits: number[] = [];
  const examples: string[] = [];
  let [deliveries, lost] = [0, 0];
  customers.forEachExpected((hook, event) => {
    if (!chosen(hook, event)) return;
    deliveries++;
    const at =
      hook.debounceSeconds === undefined
        ? stack.ledger.receivedAt(hook.number, event.number)
        : stack.ledger.receivedSince(hook.number, event.askedAt);
    if (at !== undefined) waits.push(at - event.acceptedAt);
    else if (++lost <= 3)
      examples.push(`lost: event ${event.number} (${event.name}) at webhook ${hook.number}, ${hook.id}`);
  });
  return { deliveries, lost, waits, examples };
};

/** Returns the quantile of the waits in ms, rounded; NaN without waits. */
export const p = (share: number, waits: readonly number[]): number => Math.round(quantile(waits, share));

/** Returns the names of the figures that missed their gates. */
export const missed = ({ figures, gates }: Report): string[] =>
  Object.entries(gates).flatMap(([name, { atMost = Number.POSITIVE_INFINITY, atLeast = Number.NEGATIVE_INFINITY }]) => {
    const value = figures[name] ?? Number.NaN;
    return value <= atMost && value >= atLeast ? [] : [name];
  });

/** The gate for something that must never happen. */
export const never: Gate = { atMost: 0 };
