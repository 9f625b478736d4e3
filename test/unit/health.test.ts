/** The health of a webhook after attempts: its circuit breaker, its soft deadline in the normal lane, and its way back there. */
import { describe, expect, it } from 'vitest';
import { type Health, late, type Observation, observe, softDeadlineMs } from '../../shared/webhooks/health.ts';

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
/** Returns the health after these attempts without jitter; an attempt that is unanswered at the soft deadline is recorded then. */
const taught = (before: Health | undefined, observations: readonly Observation[], at = now) =>
  observations.reduce(
    (health, observation) => observe(observation.wasLate ? late(health, at) : health, observation, at, 0.5),
    before,
  );

describe('the circuit breaker', () => {
  it('opens with the fifth failure in a row', () => {
    expect(taught(undefined, [failed, failed, failed, failed])).toEqual({ failures: 4 });
    expect(taught(undefined, Array(5).fill(failed))).toEqual({
      openings: 1,
      open_until: now + 5 * second,
      lane: 'slow',
      slow_since: now,
    });
  });

  it('opens with the first request that gets no answer', () => {
    expect(taught(undefined, [hung])).toMatchObject({ openings: 1, open_until: now + 5 * second, lane: 'slow' });
  });

  it('ignores attempts that were running when it opened', () => {
    const open = taught(undefined, [hung]);
    expect(taught(open, [hung, failed, hung])).toEqual(open);
  });

  it('is closed by any response', () => {
    expect(taught(undefined, [failed, failed, answered(20)])).toBeUndefined();
    expect(taught(taught(undefined, [hung]), [answered(20)])).not.toHaveProperty('openings');
  });

  it('opens for up to a tenth more or less, so that webhooks are not probed at the same time', () => {
    const opened = [0, 0.999].map((random) => observe(undefined, hung, now, random)?.open_until ?? 0);
    expect(opened.map((until) => Math.round((until - now) / 100) / 10)).toEqual([4.5, 5.5]);
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

describe('the slow lane', () => {
  it('is left at once after one late response within two seconds, and the usual time is updated', () => {
    expect(taught(undefined, [answered(600)])).toEqual({ excused_at: now, usual_ms: 600 });
    expect(taught(undefined, [answered(1500)])).toEqual({ excused_at: now });
  });

  it('is not left after a second one within ten minutes, or after a longer one', () => {
    const once = taught(undefined, [answered(1500)]);
    expect(taught(once, [answered(1500)], now + 60 * second)).toMatchObject({ lane: 'slow' });
    expect(taught(undefined, [answered(3000)])).toMatchObject({ lane: 'slow', usual_ms: 3000 });
  });

  it('is left after three quick responses in a row', () => {
    const slow = taught(undefined, [answered(3000)]);
    expect(taught(slow, [answered(20), answered(20)])).toMatchObject({ lane: 'slow', quick: 2 });
    expect(taught(slow, [answered(20), answered(20), answered(3000), answered(20)])).toMatchObject({ quick: 1 });
    expect(taught(slow, [answered(20), answered(20), answered(20)])).toBeUndefined();
  });

  it('updates the usual time without a write for each response', () => {
    const slow = taught(undefined, [answered(3000)]);
    // Nothing is late in the slow lane, which has no soft deadline.
    const inTime = (durationMs: number) => ({ ...answered(durationMs), wasLate: false });
    expect(taught(slow, [inTime(2500), inTime(3900), inTime(1100)])).toEqual(slow);
    expect(taught(slow, [inTime(8000)])).toMatchObject({ usual_ms: 8000 });
  });
});
