/** The health of a webhook after attempts: its circuit breaker, its soft deadline, and its time in the slow lane. */
import { describe, expect, it } from 'vitest';
import {
  afterLateAnswer,
  type Health,
  mayReturn,
  type Observation,
  observe,
  readinessOf,
  returned,
  softDeadlineMs,
} from '../../shared/webhooks/health.ts';

const second = 1000;
const now = Date.parse('2026-11-21T09:00:00Z');
const failed: Observation = {
  outcome: 'failed',
  durationMs: 20,
  hung: false,
  wasLate: false,
  pauseMs: 0,
  isProbe: false,
};
const hung: Observation = { ...failed, durationMs: 10 * second, hung: true, wasLate: true };
const answered = (durationMs: number): Observation => ({
  ...failed,
  outcome: 'answered',
  durationMs,
  wasLate: durationMs > 500,
});
/** Returns the health after these attempts, without jitter; an attempt that misses the soft deadline is recorded at the deadline. */
const taught = (before: Health | undefined, observations: readonly Observation[], at = now) =>
  observations.reduce((health, observation) => {
    const after = observe(observation.wasLate ? afterLateAnswer(health, at) : health, observation, at, 0.5);
    return mayReturn(after, at) ? returned(after, at, at) : after;
  }, before);

describe('the circuit breaker', () => {
  it('opens after five failures in a row', () => {
    expect(taught(undefined, [failed, failed, failed, failed])).toEqual({ failures: 4 });
    expect(taught(undefined, Array(5).fill(failed))).toEqual({
      openings: 1,
      open_until: now + 5 * second,
      lane: 'slow',
      slow_since: now,
    });
  });

  it('opens after one request that gets no answer', () => {
    expect(taught(undefined, [hung])).toMatchObject({ openings: 1, open_until: now + 5 * second, lane: 'slow' });
  });

  it('ignores attempts that were running when it opened', () => {
    const open = taught(undefined, [hung]);
    expect(taught(open, [hung, failed, hung])).toEqual(open);
  });

  it('closes after any response', () => {
    expect(taught(undefined, [failed, failed, answered(20)])).toBeUndefined();
    expect(taught(taught(undefined, [hung]), [answered(20)])).not.toHaveProperty('openings');
  });

  it('varies its open time by 10 %, so that probes do not come at the same time', () => {
    const opened = [0, 0.999].map((random) => observe(undefined, hung, now, random)?.open_until ?? 0);
    expect(opened.map((until) => Math.round((until - now) / 100) / 10)).toEqual([4.5, 5.5]);
  });

  it('stays open twice as long after each failed probe, up to 15 minutes', () => {
    const waits = [1, 2, 7, 8, 20].map((openings) => {
      const probed = { openings, open_until: now, probe_until: now + second, lane: 'slow', slow_since: 5 } as const;
      const after = observe(probed, { ...failed, isProbe: true }, now, 0.5);
      expect(after).toEqual({ openings: openings + 1, open_until: after?.open_until, lane: 'slow', slow_since: 5 });
      return ((after?.open_until ?? 0) - now) / second;
    });
    expect(waits).toEqual([10, 20, 640, 900, 900]);
    expect(observe(undefined, hung, now, 0.12345)?.open_until).toBe(now + 4623);
  });

  it('closes after an answered probe, and forgets all earlier failures', () => {
    const probed: Health = {
      openings: 3,
      open_until: now,
      probe_until: now + second,
      failures: 2,
      not_before: now + 9,
    };
    expect(observe(probed, { ...answered(20), isProbe: true }, now, 0.5)).toEqual({ not_before: now + 9 });
  });

  it('counts a failure even if the attempt was late or came through the slow lane', () => {
    expect(observe({ failures: 1 }, { ...failed, wasLate: true }, now, 0.5)).toEqual({
      failures: 2,
      lane: 'slow',
      slow_since: now,
      slowings: 1,
      slowed_at: now,
    });
    expect(observe({ lane: 'slow', slow_since: 5, quick: 2 }, failed, now, 0.5)).toEqual({
      lane: 'slow',
      slow_since: 5,
      failures: 1,
    });
  });

  it('sets the usual answer time to the time that an unanswered request has waited', () => {
    expect(taught(undefined, [hung])).toMatchObject({ usual_ms: 10 * second });
  });
});

describe('the readiness of a webhook', () => {
  it('is immediate without health data or with fewer than five failures', () => {
    expect(readinessOf(undefined, now)).toEqual({ kind: 'ready' });
    expect(readinessOf({ failures: 4 }, now)).toEqual({ kind: 'ready' });
  });

  it('starts with a probe as soon as the circuit breaker may half-open', () => {
    const open = { openings: 1, open_until: now + 1 };
    expect(readinessOf(open, now)).toEqual({ kind: 'wait', reason: 'circuit_breaker', until: now + 1 });
    expect(readinessOf(open, now + 1)).toEqual({ kind: 'probe' });
  });

  it('comes only after the probe that is under way', () => {
    const probed = { openings: 1, open_until: now, probe_until: now + 5 };
    expect(readinessOf(probed, now)).toEqual({ kind: 'wait', reason: 'circuit_breaker', until: now + 5 });
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
    expect(readinessOf(health, now)).toEqual({ kind: 'wait', reason, until: now + 5 });
  });
});

describe('a pause that a receiver requests', () => {
  const paused = (pauseMs: number): Observation => ({ ...answered(20), pauseMs });

  it('is stored until it ends, even if the webhook is healthy', () => {
    const health = observe(undefined, paused(60 * second), now, 0.5);
    expect(health).toEqual({ not_before: now + 60 * second });
    expect(observe(health, answered(20), now + 60 * second - 1, 0.5)).toEqual(health);
    expect(observe(health, answered(20), now + 60 * second, 0.5)).toBeUndefined();
  });

  it('can be extended, but not shortened, by a later request', () => {
    const health = observe(undefined, paused(60 * second), now, 0.5);
    expect(observe(health, paused(second), now, 0.5)).toEqual(health);
    expect(observe(health, paused(61 * second), now, 0.5)).toEqual({ not_before: now + 61 * second });
  });
});

describe('the soft deadline', () => {
  it.each([
    [undefined, 500, 'of a webhook without attempts'],
    [200, 800, 'four times the usual time'],
    [900, 2500, 'at most'],
    [50, 500, 'never less than for an unknown one'],
  ])('for a usual answer time of %s ms is %i ms: %s', (usual_ms, expected, _why) => {
    expect(softDeadlineMs(usual_ms === undefined ? undefined : { usual_ms }, 500)).toBe(expected);
  });

  it('does not exist in the slow lane', () => {
    expect(softDeadlineMs({ lane: 'slow' }, 500)).toBeUndefined();
  });
});

describe('a webhook in the slow lane', () => {
  it('leaves at once if its only late response took less than two seconds', () => {
    expect(taught(undefined, [answered(600)])).toEqual({ excused_at: now, usual_ms: 600 });
    expect(taught(undefined, [answered(1500)])).toEqual({ excused_at: now });
  });

  it('stays after another late response within ten minutes, or after a response of over two seconds', () => {
    const once = taught(undefined, [answered(1500)]);
    expect(taught(once, [answered(1500)], now + 60 * second)).toMatchObject({ lane: 'slow' });
    expect(taught(undefined, [answered(3000)])).toMatchObject({ lane: 'slow', usual_ms: 3000 });
  });

  it('leaves after three quick responses in a row', () => {
    const slow = taught(undefined, [answered(3000)]);
    expect(taught(slow, [answered(20), answered(20)])).toMatchObject({ lane: 'slow', quick: 2 });
    expect(taught(slow, [answered(20), answered(20), answered(3000), answered(20)])).toMatchObject({ quick: 1 });
    expect(taught(slow, [answered(20), answered(20), answered(20)])).toEqual({ slowings: 1, slowed_at: now });
  });

  it('has its usual answer time updated only if that changes a lot', () => {
    const slow = taught(undefined, [answered(3000)]);
    // Nothing is late in the slow lane, because it has no soft deadline.
    const inTime = (durationMs: number) => ({ ...answered(durationMs), wasLate: false });
    expect(taught(slow, [inTime(2500), inTime(3900), inTime(1100)])).toEqual(slow);
    expect(taught(slow, [inTime(8000)])).toMatchObject({ usual_ms: 8000 });
    // A response that takes more than 1.5 times as long replaces the usual time; one below a third halves it.
    expect(taught(slow, [inTime(4500)])).toMatchObject({ usual_ms: 3000 });
    expect(taught(slow, [inTime(4501)])).toMatchObject({ usual_ms: 4501 });
    const slower = { ...slow, usual_ms: 6000 };
    expect(taught(slower, [inTime(2000)])).toMatchObject({ usual_ms: 6000 });
    expect(taught(slower, [inTime(1999)])).toMatchObject({ usual_ms: 3000 });
    expect(taught({ lane: 'slow' }, [inTime(2000)])).toMatchObject({ usual_ms: 2000 });
  });

  it('keeps the time at which it entered, even after more late responses', () => {
    const slow = { lane: 'slow', slow_since: 5 } as const;
    expect(afterLateAnswer(slow, now)).toBe(slow);
    expect(afterLateAnswer({ failures: 1 }, now)).toEqual({
      failures: 1,
      lane: 'slow',
      slow_since: now,
      slowings: 1,
      slowed_at: now,
    });
  });

  it('enters the lane after a late response, even one that was not recorded at its deadline', () => {
    expect(observe(undefined, answered(2001), now, 0.5)).toEqual({
      lane: 'slow',
      slow_since: now,
      slowings: 1,
      slowed_at: now,
      usual_ms: 2001,
    });
  });

  it('leaves at once after a late response of two seconds, if the last excused late response was at least ten minutes ago', () => {
    const before = { excused_at: now - 600 * second };
    expect(observe(before, answered(2000), now, 0.5)).toEqual({ excused_at: now });
    expect(observe({ excused_at: now - 600 * second + 1 }, answered(2000), now, 0.5)).toMatchObject({ lane: 'slow' });
  });

  it('leaves after three responses of up to a second; the last one becomes its usual answer time', () => {
    const inTime = (durationMs: number) => ({ ...answered(durationMs), wasLate: false });
    const slow = { lane: 'slow', slow_since: 5, quick: 2, usual_ms: 3000 } as const;
    expect(observe(slow, inTime(1000), now, 0.5)).toEqual({ usual_ms: 1000 });
    expect(observe(slow, inTime(126), now, 0.5)).toEqual({ usual_ms: 126 });
    expect(observe(slow, inTime(125), now, 0.5)).toBeUndefined();
    expect(observe(slow, inTime(1001), now, 0.5)).toEqual({ lane: 'slow', slow_since: 5, usual_ms: 3000 });
    expect(observe({ lane: 'slow', slow_since: 5 }, inTime(700), now, 0.5)).toEqual({
      lane: 'slow',
      slow_since: 5,
      quick: 1,
      usual_ms: 700,
    });
  });
});

describe('a webhook that hangs, recovers and hangs again', () => {
  const minute = 60 * second;
  const quick = (count: number) => Array.from({ length: count }, () => answered(20));

  it.each([
    [1, 3, 0],
    [2, 9, minute],
    [3, 27, 4 * minute],
    [4, 81, 16 * minute],
    [5, 81, 60 * minute],
    [9, 81, 60 * minute],
  ])('returns, the %d. time, after %d quick answers and at least %d ms', (slowings, answers, waitMs) => {
    const slow = { lane: 'slow', slow_since: now, slowings, slowed_at: now } as const;
    const missing = taught(slow, quick(answers - 1), now + waitMs);
    expect(missing).toMatchObject({ lane: 'slow', quick: answers - 1 });
    expect(taught(missing, quick(1), now + waitMs)).not.toHaveProperty('lane');
    if (waitMs > 0) expect(taught(missing, quick(5), now + waitMs - 1)).toMatchObject({ lane: 'slow', quick: answers });
  });

  it('is remembered after its return to the normal lane', () => {
    const once = taught(undefined, [hung, ...quick(3)]);
    expect(once).toEqual({ slowings: 1, slowed_at: now });
    expect(taught(once, [hung], now + minute)).toMatchObject({ lane: 'slow', slowings: 2, slowed_at: now + minute });
  });

  it('is forgotten a day after it last hung', () => {
    const day = 24 * 60 * minute;
    const known = { slowings: 3, slowed_at: now };
    expect(taught(known, quick(1), now + day - 1)).toEqual(known);
    expect(taught(known, quick(1), now + day)).toBeUndefined();
  });

  it('counts each hang, also in the slow lane', () => {
    const slow = taught({ slowings: 1, slowed_at: now - minute }, [hung]);
    const again = taught({ ...slow, openings: 0 }, [{ ...hung, wasLate: false }], now + minute);
    expect(again).toMatchObject({ slowings: 2, slowed_at: now + minute });
  });

  it('waits for its turn to return among the webhooks of its integration', () => {
    const slow = { lane: 'slow', slow_since: now, slowings: 1, slowed_at: now, quick: 3 } as const;
    expect(returned(slow, now + 1, now)).toEqual({ ...slow, returns_at: now + 1 });
    expect(mayReturn({ ...slow, returns_at: now + 1 }, now)).toBe(false);
    expect(mayReturn({ ...slow, returns_at: now + 1 }, now + 1)).toBe(true);
    expect(returned({ ...slow, returns_at: now + 1 }, now + 1, now + 1)).toEqual({ slowings: 1, slowed_at: now });
    expect(taught({ ...slow, returns_at: now + 1 }, [hung])).not.toHaveProperty('returns_at');
  });
});

describe('a stored usual answer time', () => {
  const inTime = (durationMs: number) => ({ ...answered(durationMs), wasLate: false });
  const hour = 3600 * second;

  it('is removed an hour after an excused late response, by a response eight times as quick', () => {
    const health = { usual_ms: 800, excused_at: now - hour };
    expect(observe(health, inTime(100), now, 0.5)).toBeUndefined();
    expect(observe(health, inTime(101), now, 0.5)).toEqual(health);
    const later = { usual_ms: 800, excused_at: now - hour + 1 };
    expect(observe(later, inTime(100), now, 0.5)).toEqual(later);
  });

  it('keeps the time of the last excused response, which is otherwise removed after ten minutes', () => {
    const excused = { usual_ms: 800, excused_at: now - 600 * second };
    expect(observe(excused, inTime(400), now, 0.5)).toEqual(excused);
    expect(observe({ excused_at: now - 600 * second }, inTime(20), now, 0.5)).toBeUndefined();
    const recent = { excused_at: now - 600 * second + 1 };
    expect(observe(recent, inTime(20), now, 0.5)).toEqual(recent);
  });
});
