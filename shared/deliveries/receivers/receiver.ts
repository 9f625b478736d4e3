/**
 * A receiver: an origin (scheme, host and port) that deliveries go to. Its lane, its circuit breaker and how long it asked
 * to be left alone are kept in the table, so that all environments know them.
 */
import { minute, second } from '../../foundation/clock.ts';

export interface Receiver {
  readonly origin: string;
  /** Epoch ms until which it has earned the fast lane; 0 for new, slow and failing receivers. */
  readonly fast_until: number;
  /** How long it usually takes to answer, in ms: the slowest of its recent quick answers. */
  readonly usual_ms: number;
  /** Failures in a row; one that took long, or all the time that it had, counts twice. */
  readonly failures: number;
  /** Epoch ms until which nothing is sent, because the receiver keeps failing; then one probe goes out. 0 while all is well. */
  readonly open_until: number;
  /** How often in a row the breaker has opened. */
  readonly openings: number;
  /** Epoch ms until which nothing is sent, because the receiver said so (429, 503). */
  readonly slow_until: number;
  /** Quick answers in a row, as this environment has seen them. */
  readonly quick: number;
}

/** What one attempt says about its receiver. */
export interface Observation {
  /** `answered`: it works, whatever it answered; `failed`: no answer, or a 5xx. */
  readonly outcome: 'answered' | 'failed';
  readonly durationMs: number;
  /** It kept us waiting until the deadline. */
  readonly hung: boolean;
  /** How long the receiver asked to be left alone, in ms; 0 where it did not. */
  readonly slowDownMs: number;
  /** The breaker was open, and this attempt was to find out whether the receiver is back. */
  readonly isProbe: boolean;
}

/** An answer within this many ms is quick; so many in a row earn the fast lane; one slower than `slowMs` loses it. */
const quickMs = 500;
const quickToBePromoted = 5;
const slowMs = second;

/** The fast lane is lost without recent answers: who was idle may have to start up first. Renewed when half of it is over. */
const fastForMs = 10 * minute;

/** In the fast lane a receiver gets so many times what it usually takes, but not less than this many ms. */
const timesTheUsual = 6;
const shortestDeadlineMs = 200;
/** How much of the slowest answer is remembered after each further one. */
const fading = 0.97;

/** So many failures in a row open the breaker: for 10 s at first, twice as long with each failed probe, 15 minutes at most. */
export const failuresToOpen = 5;
const longFailureMs = 3 * second;
const shortestOpenMs = 10 * second;
const longestOpenMs = 15 * minute;

/** How long others keep waiting while one probes. */
export const probeMs = 15 * second;

export const newReceiver = (origin: string): Receiver => ({
  origin,
  fast_until: 0,
  usual_ms: 0,
  failures: 0,
  open_until: 0,
  openings: 0,
  slow_until: 0,
  quick: 0,
});

export const isFast = (receiver: Receiver, now: number): boolean => receiver.fast_until > now;

/** How long a POST in the fast lane may take in ms: its batch waits for it, so it depends on what is usual; `maxChars` is the stage's. */
export const fastDeadlineMs = (receiver: Receiver, maxChars: number): number =>
  Math.min(maxChars, Math.max(shortestDeadlineMs, Math.ceil(receiver.usual_ms * timesTheUsual)));

/** Epoch ms until which this receiver is to be left alone; 0 where it need not be. */
export const waitUntil = (receiver: Receiver, now: number): number => {
  const until = Math.max(receiver.open_until, receiver.slow_until);
  return until > now ? until : 0;
};

/** The breaker was open and its time is over: only one may try, and must win the right to (`claimProbe`). */
export const needsProbe = (receiver: Receiver, now: number): boolean =>
  receiver.open_until !== 0 && receiver.open_until <= now;

/** The receiver after these observations, oldest first. */
export const observe = (receiver: Receiver, observations: readonly Observation[], now: number): Receiver =>
  observations.reduce((before, observation) => {
    const after = observation.outcome === 'failed' ? fail(before, observation, now) : answer(before, observation, now);
    return observation.slowDownMs > 0
      ? { ...after, slow_until: Math.max(after.slow_until, now + observation.slowDownMs) }
      : after;
  }, receiver);

const fail = (before: Receiver, { durationMs, hung, isProbe }: Observation, now: number): Receiver => {
  const after = { ...before, fast_until: 0, quick: 0 };
  if (isProbe) return opened(after, now);
  // What was under way when the breaker opened tells nothing new.
  if (before.open_until > now) return after;
  const failures = before.failures + (hung || durationMs >= longFailureMs ? 2 : 1);
  return failures >= failuresToOpen ? opened({ ...after, failures }, now) : { ...after, failures };
};

/** The receiver with its breaker open, for twice as long as the last time. */
export const opened = (receiver: Receiver, now: number): Receiver => ({
  ...receiver,
  openings: receiver.openings + 1,
  open_until: now + Math.min(longestOpenMs, shortestOpenMs * 2 ** receiver.openings),
});

const answer = (before: Receiver, { durationMs }: Observation, now: number): Receiver => {
  const isQuick = durationMs <= quickMs;
  const quick = isQuick ? Math.min(quickToBePromoted, before.quick + 1) : 0;
  const isRenewed = quick >= quickToBePromoted && before.fast_until - now < fastForMs / 2;
  return {
    ...before,
    quick,
    usual_ms: isQuick ? Math.max(durationMs, before.usual_ms * fading) : before.usual_ms,
    fast_until: isRenewed ? now + fastForMs : durationMs > slowMs ? 0 : before.fast_until,
    failures: 0,
    open_until: 0,
    openings: 0,
  };
};
