/**
 * A webhook's health, as its attempts change it: the circuit breaker, the pause that its receiver asked for, and its lane. It belongs
 * to the webhook and not to its origin (ADR 0010): a host serves many customers, and one customer's failures delay no other.
 */
import { day, hour, minute, second } from '../foundation/clock.ts';

/** Stored in the webhook's record; absent while the webhook is healthy. Times in epoch ms. */
export interface Health {
  /** Since when its deliveries take the slow lane; missing in the normal one. */
  readonly lane?: 'slow';
  readonly slow_since?: number;
  /** Quick responses in a row since then. */
  readonly quick?: number;
  /** How often it moved to the slow lane because its receiver was late or hung, and when it last did; forgotten after a day. */
  readonly slowings?: number;
  readonly slowed_at?: number;
  /** When it may ask again to return to the normal lane, because others of its integration have just returned. */
  readonly returns_at?: number;
  /** Its usual response time in ms, stored only in the slow lane and after a late response. */
  readonly usual_ms?: number;
  /** When a late answer was last excused. */
  readonly excused_at?: number;
  /** Failures in a row while the circuit breaker is closed. */
  readonly failures?: number;
  /** How often in a row it has opened; 0 or missing while it is closed. */
  readonly openings?: number;
  /** When the circuit breaker becomes half-open: until then nothing is sent, then one probe. */
  readonly open_until?: number;
  /** While a probe is running: when it counts as lost. */
  readonly probe_until?: number;
  /** Until when the receiver asked for a pause (429, 503). */
  readonly not_before?: number;
}

/** The finding of one attempt about its webhook. */
export interface Observation {
  /** `answered`: the receiver works, with any status below 500; `failed`: no answer, or a 5xx. */
  readonly outcome: 'answered' | 'failed';
  readonly durationMs: number;
  /** It was sent and not answered within the deadline. */
  readonly hung: boolean;
  /** It was still unanswered at the soft deadline. */
  readonly wasLate: boolean;
  /** The pause that the receiver requested, in ms; 0 for none. */
  readonly pauseMs: number;
  /** It was sent to find out whether a failing webhook works again. */
  readonly isProbe: boolean;
}

/** The soft deadline is this many times the usual response time, at most `maxSoftDeadlineMs`: until then, a request may occupy the normal lane. */
const timesUsual = 4;
const maxSoftDeadlineMs = 2.5 * second;

/** An answer within this time is quick. */
const quickMs = second;
/** How many quick answers in a row bring a webhook back into the normal lane, and how long after its last hang, by how often it was slow. */
const quickInARow = [3, 9, 27, 81] as const;
const slowForMs = [0, minute, 4 * minute, 16 * minute, hour] as const;
/** After this time without a late response, it counts as a webhook that never was slow. */
const slowingsKeptMs = day;
/** One late answer within this time is forgiven every ten minutes: the webhook returns to the normal lane at once. */
const excusableMs = 2 * second;
const excuseEveryMs = 10 * minute;
/** A usual response time is kept at least this long. After that, a response eight times faster removes it. */
const usualKeptMs = 60 * minute;
/** A faster response needs no record: the default soft deadline covers it. */
const shortMs = 125;

/** Failures in a row that open the circuit breaker: for 5 s at first, doubled with each failed probe, 15 minutes at most, with jitter to both sides. */
const failuresToOpen = 5;
const minOpenMs = 5 * second;
const maxOpenMs = 15 * minute;
const jitter = 0.1;

/** Returns after how many ms an unanswered attempt makes its webhook slow; undefined if it is slow already. */
export const softDeadlineMs = (health: Health | undefined, slowAfterMs: number): number | undefined => {
  if (health === undefined) return slowAfterMs;
  if (health.lane === 'slow') return undefined;
  const { usual_ms = 0 } = health;
  return Math.max(slowAfterMs, Math.min(maxSoftDeadlineMs, timesUsual * usual_ms));
};

export type Readiness =
  | { readonly kind: 'ready' }
  /** Nothing is sent until then, in epoch ms. */
  | { readonly kind: 'wait'; readonly reason: 'circuit_breaker' | 'retry_after'; readonly until: number }
  /** The circuit breaker has been open for long enough: one attempt may probe (`claimProbe`). */
  | { readonly kind: 'probe' };

const ready: Readiness = { kind: 'ready' };

/** Returns whether a webhook can be sent something now (epoch ms). */
export const readinessOf = (health: Health | undefined, now: number): Readiness => {
  if (health === undefined) return ready;
  const { not_before = 0, openings = 0, open_until = 0, probe_until = 0 } = health;
  const opens = Math.max(open_until, probe_until);
  if (not_before > now && not_before >= opens) return { kind: 'wait', reason: 'retry_after', until: not_before };
  if (opens > now) return { kind: 'wait', reason: 'circuit_breaker', until: opens };
  return openings > 0 ? { kind: 'probe' } : ready;
};

/** Returns the health of a webhook whose attempt is unanswered at the soft deadline. */
export const afterLateAnswer = (health: Health | undefined, now: number): Health =>
  health?.lane === 'slow'
    ? health
    : { ...inSlowLane(health, now), slowings: (health?.slowings ?? 0) + 1, slowed_at: now };

const inSlowLane = (health: Health | undefined, now: number): Health =>
  health?.lane === 'slow' ? health : { ...health, lane: 'slow', slow_since: now };

const step = <T>(steps: readonly [T, ...T[]], number: number): T =>
  steps[Math.min(steps.length, Math.max(1, number)) - 1] ?? steps[0];

/**
 * Returns whether a webhook in the slow lane has answered quickly for long enough: the more often it was slow, the longer. It then returns
 * to the normal lane when its integration has a place (`lane-returns.ts`).
 */
export const mayReturn = (health: Health | undefined, now: number): health is Health => {
  if (health?.lane !== 'slow') return false;
  const { quick = 0, slowings = 0, slowed_at = 0, returns_at = 0 } = health;
  const isQuick = quick >= step(quickInARow, slowings) && now >= slowed_at + step(slowForMs, slowings);
  return slowings > 0 && isQuick && now >= returns_at;
};

/** Returns the health of a webhook that may return to the normal lane at a time in epoch ms: back in it, or to ask again then. */
export const returned = (health: Health, at: number, now: number): Health | undefined =>
  at <= now ? tidy(inNormalLane(health, health.usual_ms ?? 0), now) : { ...health, returns_at: at };

/** Returns the health after an attempt; undefined for a healthy webhook. `now` in epoch ms, `random` in [0, 1). */
export const observe = (
  before: Health | undefined,
  observation: Observation,
  now: number,
  random: number,
): Health | undefined => {
  if (before === undefined && observation.outcome === 'answered' && !observation.wasLate && observation.pauseMs === 0)
    return undefined;
  const health = before ?? {};
  const after =
    observation.outcome === 'failed'
      ? afterFailure(health, observation, now, random)
      : afterAnswer(health, observation, now);
  return tidy({ ...after, not_before: Math.max(after.not_before ?? 0, now + observation.pauseMs) }, now);
};

/** Removes expired parts. */
const tidy = (health: Health, now: number): Health | undefined => {
  const { not_before = 0, excused_at = 0, usual_ms, lane, slowed_at = 0 } = health;
  const isForgotten = lane === undefined && slowed_at <= now - slowingsKeptMs;
  const isExcuseOver = usual_ms === undefined && excused_at <= now - excuseEveryMs;
  const kept = without(
    health,
    ...(not_before <= now ? (['not_before'] as const) : []),
    ...(isExcuseOver ? (['excused_at'] as const) : []),
    ...(isForgotten ? (['slowings', 'slowed_at'] as const) : []),
  );
  return Object.keys(kept).length === 0 ? undefined : kept;
};

const afterFailure = (
  before: Health,
  { durationMs, hung, wasLate, isProbe }: Observation,
  now: number,
  random: number,
): Health => {
  // An attempt that was already running when the circuit breaker opened shows nothing new.
  if ((before.openings ?? 0) > 0 && !isProbe) return before;
  const health: Health = { ...without(before, 'quick', 'returns_at'), ...(hung && { usual_ms: durationMs }) };
  const failures = (before.failures ?? 0) + 1;
  const inSlow = hung ? { ...afterLateAnswer(health, now), slowed_at: now } : inSlowLane(health, now);
  if (isProbe || hung || failures >= failuresToOpen) return withOpenBreaker(inSlow, now, random);
  return { ...(wasLate ? afterLateAnswer(health, now) : health), failures };
};

const withOpenBreaker = (health: Health, now: number, random: number): Health => {
  const { openings = 0 } = health;
  const openMs = Math.min(maxOpenMs, minOpenMs * 2 ** openings) * (1 - jitter + 2 * jitter * random);
  return {
    ...without(health, 'failures', 'probe_until'),
    openings: openings + 1,
    open_until: Math.round(now + openMs),
  };
};

/** Closes the circuit breaker, and chooses the lane by how long the answer took. */
const afterAnswer = (before: Health, { durationMs, wasLate }: Observation, now: number): Health => {
  const health: Health = without(before, 'failures', 'openings', 'open_until', 'probe_until');
  const { excused_at = 0, quick = 0, usual_ms } = health;
  if (wasLate && durationMs <= excusableMs && excused_at <= now - excuseEveryMs)
    return { ...excused(inNormalLane(health, durationMs)), excused_at: now };
  if (health.lane !== 'slow') {
    if (wasLate) return { ...afterLateAnswer(health, now), usual_ms: durationMs };
    const isOutdated = usual_ms !== undefined && durationMs <= usual_ms / 8 && excused_at <= now - usualKeptMs;
    return isOutdated ? without(health, 'usual_ms') : health;
  }
  if (durationMs > quickMs)
    return { ...without(health, 'quick', 'returns_at'), usual_ms: usualOf(usual_ms, durationMs) };
  const { slowings } = health;
  // A webhook whose receiver has failed, but was never late, is no risk for the lane.
  if (slowings === undefined && quick + 1 >= quickInARow[0]) return inNormalLane(health, durationMs);
  // An answer that shows nothing new is not written.
  return quick < step(quickInARow, slowings ?? 0) ? { ...health, quick: quick + 1, usual_ms: durationMs } : health;
};

/** Forgets that an answer was late. */
const excused = (health: Health): Health => {
  const { slowings = 0 } = health;
  return slowings > 1 ? { ...health, slowings: slowings - 1 } : without(health, 'slowings', 'slowed_at');
};

/** Returns the health in the normal lane. The response time stays only if it lengthens the soft deadline. */
const inNormalLane = (health: Health, durationMs: number): Health => ({
  ...without(health, 'lane', 'slow_since', 'quick', 'usual_ms', 'returns_at'),
  ...(durationMs > shortMs && durationMs <= quickMs && { usual_ms: durationMs }),
});

/** Tracks slow responses: rises at once, and halves after much faster ones, so that few responses cause a write. */
const usualOf = (usual: number | undefined, durationMs: number): number => {
  if (usual === undefined || durationMs > usual * 1.5) return durationMs;
  return durationMs < usual / 3 ? usual / 2 : usual;
};

const without = (health: Health, ...names: (keyof Health)[]): Health =>
  Object.fromEntries(Object.entries(health).filter(([name]) => !names.some((one) => one === name)));
