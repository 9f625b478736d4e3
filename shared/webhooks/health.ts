/**
 * A webhook's health, as its attempts change it: its time in the slow lane, its circuit breaker, and the pause that its
 * receiver asked for. It is not the host's (ADR 0010): one customer's failures must not delay another's deliveries.
 */
import { day, hour, minute, second } from '../foundation/clock.ts';

/** Stored in the webhook's record; absent while the webhook is healthy. Times in epoch ms. */
export interface Health {
  /** Until when its deliveries take the slow lane, because its receiver was late. */
  readonly slow_until?: number;
  /** How often that has happened; forgotten a day after `slow_until`. */
  readonly slowings?: number;
  /** Failures in a row while the circuit breaker is closed. */
  readonly failures?: number;
  /** How often in a row it has opened; 0 or missing while it is closed. */
  readonly openings?: number;
  readonly open_until?: number;
  /** Until when a running probe, or an attempt that is late, counts as alive. */
  readonly probe_until?: number;
  /** Until when the receiver asked to be left alone. */
  readonly not_before?: number;
}

export interface Observation {
  /** `answered`: the receiver works, whatever it said; `failed`: it did not respond, or with 5xx. */
  readonly outcome: 'answered' | 'failed';
  /** Whether it hung until the deadline. */
  readonly hung: boolean;
  /** Whether it was unanswered at the soft deadline. */
  readonly wasLate: boolean;
  /** How long the webhook must not be called, in ms; 0 for none. */
  readonly pauseMs: number;
  readonly isProbe: boolean;
}

/** A late webhook is slow for about a minute, doubled each further time. Jitter spreads webhooks that hung together. */
const minSlowMs = minute;
const maxSlowMs = hour;
const slowingsKeptMs = day;
/** How long a delivery waits at a time for the end of a late attempt. */
const lateWaitMs = 3 * second;
/** Failures in a row that open the circuit breaker: for 5 s, doubled with each failed probe up to 15 minutes. */
const failuresToOpen = 5;
const minOpenMs = 5 * second;
const maxOpenMs = 15 * minute;
const jitter = 0.1;

/** Returns whether a webhook takes the slow lane: it was late, or its circuit breaker is open. */
export const isSlow = (health: Health | undefined, now: number): boolean =>
  (health?.slow_until ?? 0) > now || (health?.openings ?? 0) > 0;

/** Returns whether a webhook was slow within a day, or still is. */
export const wasSlow = ({ slow_until = 0 }: Health, now: number): boolean => slow_until > now - slowingsKeptMs;

export type Readiness =
  | { readonly kind: 'ready' }
  /** Without a time: until a probe shows that it works again. */
  | { readonly kind: 'wait'; readonly until: number | null; readonly reason: 'retry_after' | 'circuit_breaker' }
  /** It has failed for long enough: one attempt may probe whether it works again. */
  | { readonly kind: 'probe' };

const ready: Readiness = { kind: 'ready' };

/** Returns whether a webhook may be attempted now (epoch ms), and otherwise until when to wait. */
export const readinessOf = (health: Health | undefined, now: number): Readiness => {
  if (health === undefined) return ready;
  const { not_before = 0, openings = 0, open_until = 0, probe_until = 0 } = health;
  // While a probe runs, the others wait.
  const opens = Math.max(open_until, probe_until);
  if (not_before > now && not_before >= opens) return { kind: 'wait', reason: 'retry_after', until: not_before };
  // A late attempt may still be answered at any moment.
  const until = openings > 0 ? null : Math.min(opens, now + lateWaitMs);
  if (opens > now) return { kind: 'wait', reason: 'circuit_breaker', until };
  return openings > 0 ? { kind: 'probe' } : ready;
};

/** Returns the health of a webhook that was late. `random` in [0, 1). */
export const afterLateAnswer = (health: Health = {}, now: number, random: number): Health => {
  if ((health.slow_until ?? 0) > now) return health;
  const slowings = (health.slowings ?? 0) + 1;
  const slowMs = Math.min(maxSlowMs, minSlowMs * 2 ** (slowings - 1)) * (0.5 + random);
  return { ...health, slowings, slow_until: Math.round(now + slowMs) };
};

/** Returns the health while an attempt is late: like a probe, it stops the others until `endsAt` (epoch ms). */
export const whileLate = (health: Health | undefined, now: number, random: number, endsAt: number): Health => ({
  ...afterLateAnswer(health, now, random),
  probe_until: endsAt,
});

/** Returns the health after an attempt; undefined for a healthy webhook. `random` in [0, 1). */
export const observe = (
  before: Health | undefined,
  observation: Observation,
  now: number,
  random: number,
): Health | undefined => {
  const { outcome, wasLate, hung, pauseMs } = observation;
  if (before === undefined && outcome === 'answered' && !wasLate && pauseMs === 0) return undefined;
  const health = wasLate || hung ? afterLateAnswer(before, now, random) : (before ?? {});
  const after = outcome === 'failed' ? afterFailure(health, observation, now, random) : withClosedBreaker(health);
  return tidy({ ...after, not_before: Math.max(after.not_before ?? 0, now + pauseMs) }, now);
};

const afterFailure = (health: Health, { hung, isProbe }: Observation, now: number, random: number): Health => {
  const { openings = 0 } = health;
  // An attempt that was already running when the circuit breaker opened shows nothing new.
  if (openings > 0 && !isProbe) return health;
  const failures = (health.failures ?? 0) + 1;
  if (!isProbe && !hung && failures < failuresToOpen) return { ...without(health, 'probe_until'), failures };
  // No message can be delayed for longer than the maximum.
  const openMs = Math.min(maxOpenMs, minOpenMs * 2 ** openings * (1 - jitter + 2 * jitter * random));
  return {
    ...without(health, 'failures', 'probe_until'),
    openings: openings + 1,
    open_until: Math.round(now + openMs),
  };
};

const withClosedBreaker = (health: Health): Health =>
  without(health, 'failures', 'openings', 'open_until', 'probe_until');

const tidy = (health: Health, now: number): Health | undefined => {
  const kept = without(
    health,
    ...((health.not_before ?? 0) <= now ? (['not_before'] as const) : []),
    ...(wasSlow(health, now) ? [] : (['slowings', 'slow_until'] as const)),
  );
  return Object.keys(kept).length === 0 ? undefined : kept;
};

const without = (health: Health, ...names: (keyof Health)[]): Health =>
  Object.fromEntries(Object.entries(health).filter(([name]) => !names.some((one) => one === name)));
