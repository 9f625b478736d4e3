/** The health of a webhook after attempts: its circuit breaker, its pauses, and its time in the slow lane. */
import { describe, expect, it } from 'vitest';
import {
  afterLateAnswer,
  type Health,
  isSlow,
  type Observation,
  observe,
  readinessOf,
  whileLate,
} from '../../shared/webhooks/health.ts';

const second = 1000;
const minute = 60 * second;
const day = 24 * 60 * minute;
const now = Date.parse('2026-11-21T09:00:00Z');
const failed: Observation = { outcome: 'failed', hung: false, wasLate: false, pauseMs: 0, isProbe: false };
const hung: Observation = { ...failed, hung: true, wasLate: true };
const answered: Observation = { ...failed, outcome: 'answered' };
const late: Observation = { ...answered, wasLate: true };
/** Returns the health after these attempts, without jitter. */
const taught = (before: Health | undefined, observations: readonly Observation[], at = now) =>
  observations.reduce((health, observation) => observe(health, observation, at, 0.5), before);

describe('the circuit breaker', () => {
  it('opens after five failures in a row', () => {
    expect(taught(undefined, Array(4).fill(failed))).toEqual({ failures: 4 });
    expect(taught(undefined, Array(5).fill(failed))).toEqual({ openings: 1, open_until: now + 5 * second });
  });

  it('opens after one request that gets no answer', () => {
    expect(taught(undefined, [hung])).toMatchObject({ openings: 1, open_until: now + 5 * second, slowings: 1 });
  });

  it('ignores attempts that were running when it opened', () => {
    const open = taught(undefined, [hung]);
    expect(taught(open, [hung, failed, hung])).toEqual(open);
  });

  it('closes after any response', () => {
    expect(taught(undefined, [failed, failed, answered])).toBeUndefined();
    expect(taught({ openings: 1, open_until: now }, [answered])).toBeUndefined();
  });

  it('varies its open time by 10 %, so that probes do not come at the same time', () => {
    const opened = [0, 0.999].map((random) => observe(undefined, hung, now, random)?.open_until ?? 0);
    expect(opened.map((until) => Math.round((until - now) / 100) / 10)).toEqual([4.5, 5.5]);
    expect(observe(undefined, hung, now, 0.12345)?.open_until).toBe(now + 4623);
  });

  it.each([
    [1, 10],
    [2, 20],
    [7, 640],
    [8, 900],
    [20, 900],
  ])(
    'stays open twice as long after each failed probe, up to 15 minutes: %d openings, then %d s',
    (openings, waitS) => {
      const probed = { openings, open_until: now, probe_until: now + second };
      const open = { openings: openings + 1, open_until: now + waitS * second };
      expect(observe(probed, { ...failed, isProbe: true }, now, 0.5)).toEqual(open);
    },
  );

  it('closes after an answered probe, and forgets all earlier failures', () => {
    const probed = { openings: 3, open_until: now, probe_until: now + second, failures: 2, not_before: now + 9 };
    expect(observe(probed, { ...answered, isProbe: true }, now, 0.5)).toEqual({ not_before: now + 9 });
  });
});

describe('the readiness of a webhook', () => {
  it('begins again when the attempt that was late has ended, whatever its end', () => {
    const unanswered = whileLate(undefined, now, 0.5, now + 9 * second);
    expect(readinessOf(unanswered, now)).toMatchObject({ kind: 'wait', until: now + 3 * second });
    for (const end of [late, { ...failed, wasLate: true }])
      expect(readinessOf(taught(unanswered, [end]), now)).toEqual({ kind: 'ready' });
    expect(readinessOf(taught(unanswered, [hung]), now)).toMatchObject({ kind: 'wait', until: null });
    // The function with the attempt was killed.
    expect(readinessOf(unanswered, now + 9 * second)).toEqual({ kind: 'ready' });
  });

  it('is immediate without health data or with fewer than five failures', () => {
    expect(readinessOf(undefined, now)).toEqual({ kind: 'ready' });
    expect(readinessOf({ failures: 4 }, now)).toEqual({ kind: 'ready' });
  });

  it('starts with a probe as soon as the circuit breaker may half-open', () => {
    const open = { openings: 1, open_until: now + 1 };
    expect(readinessOf(open, now)).toEqual({ kind: 'wait', reason: 'circuit_breaker', until: null });
    expect(readinessOf(open, now + 1)).toEqual({ kind: 'probe' });
  });

  it('comes only after the probe that is under way', () => {
    const probed = { openings: 1, open_until: now, probe_until: now + 5 };
    expect(readinessOf(probed, now)).toEqual({ kind: 'wait', reason: 'circuit_breaker', until: null });
    expect(readinessOf(probed, now + 5)).toEqual({ kind: 'probe' });
  });

  it('comes exactly at the end of the pause that its receiver requested', () => {
    expect(readinessOf({ not_before: now + 1 }, now)).toEqual({ kind: 'wait', reason: 'retry_after', until: now + 1 });
    expect(readinessOf({ not_before: now + 1 }, now + 1)).toEqual({ kind: 'ready' });
  });

  it.each([
    [5, 5, 'retry_after'],
    [4, 5, 'circuit_breaker'],
    [5, 4, 'retry_after'],
  ])('waits for the longer of a pause of %i ms and an open breaker of %i ms: %s', (pause, open, reason) => {
    const health = { not_before: now + pause, openings: 1, open_until: now + open };
    const until = reason === 'retry_after' ? now + 5 : null;
    expect(readinessOf(health, now)).toEqual({ kind: 'wait', reason, until });
  });
});

describe('a pause that a receiver requests', () => {
  const paused = (pauseMs: number): Observation => ({ ...answered, pauseMs });

  it('is stored until it ends, even if the webhook is healthy', () => {
    const health = observe(undefined, paused(60 * second), now, 0.5);
    expect(health).toEqual({ not_before: now + 60 * second });
    expect(observe(health, answered, now + 60 * second - 1, 0.5)).toEqual(health);
    expect(observe(health, answered, now + 60 * second, 0.5)).toBeUndefined();
  });

  it('can be extended, but not shortened, by a later request', () => {
    const health = observe(undefined, paused(60 * second), now, 0.5);
    expect(observe(health, paused(second), now, 0.5)).toEqual(health);
    expect(observe(health, paused(61 * second), now, 0.5)).toEqual({ not_before: now + 61 * second });
  });
});

describe('the slow lane', () => {
  it('is for a webhook until its time there is over, and while its circuit breaker is open', () => {
    expect(isSlow(undefined, now)).toBe(false);
    expect(isSlow({ slow_until: now + 1 }, now)).toBe(true);
    expect(isSlow({ slow_until: now, slowings: 1 }, now)).toBe(false);
    expect(isSlow({ openings: 1, open_until: now - 1 }, now)).toBe(true);
    expect(isSlow({ failures: 4, not_before: now + 1 }, now)).toBe(false);
  });

  it('takes a late webhook for half a minute to one and a half, so that those of one outage come back apart', () => {
    expect(afterLateAnswer(undefined, now, 0)).toEqual({ slowings: 1, slow_until: now + 30 * second });
    expect(afterLateAnswer({ failures: 1 }, now, 0.5)).toEqual({ failures: 1, slowings: 1, slow_until: now + minute });
    expect(afterLateAnswer(undefined, now, 0.999)?.slow_until).toBe(now + 89_940);
  });

  it.each([
    [1, 2],
    [2, 4],
    [6, 60],
    [40, 60],
  ])(
    'takes it for twice as long each further time, up to an hour: after %d times, for %d minutes',
    (slowings, minutes) => {
      const after = { slowings: slowings + 1, slow_until: now + minutes * minute };
      expect(afterLateAnswer({ slowings, slow_until: now }, now, 0.5)).toEqual(after);
    },
  );

  it('counts a webhook once however many attempts are late while it is slow', () => {
    const slow = { slow_until: now + 1, slowings: 1 };
    expect(afterLateAnswer(slow, now, 0.5)).toBe(slow);
    expect(taught(slow, [late, { ...late, outcome: 'failed' }])).toEqual({ ...slow, failures: 1 });
  });

  it('takes a webhook whose late attempt was not recorded at its soft deadline', () => {
    expect(taught(undefined, [late])).toEqual({ slowings: 1, slow_until: now + minute });
  });

  it('is left without a quick answer, and the webhook is forgotten a day later', () => {
    const known = { slowings: 3, slow_until: now };
    expect(taught(known, [answered], now + day - 1)).toEqual(known);
    expect(taught(known, [answered], now + day)).toBeUndefined();
  });
});
