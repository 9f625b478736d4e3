/** What attempts show about a webhook: when its circuit breaker opens, how long its answer is awaited in the normal lane, and its way back there. */
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
/** The health after these attempts, the middle of all jitter; one that is unanswered at the soft deadline is noted then. */
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

  it('ignores what was under way when it opened', () => {
    const open = taught(undefined, [hung]);
    expect(taught(open, [hung, failed, hung])).toEqual(open);
  });

  it('is closed by any answer', () => {
    expect(taught(undefined, [failed, failed, answered(20)])).toBeUndefined();
    expect(taught(taught(undefined, [hung]), [answered(20)])).not.toHaveProperty('openings');
  });

  it('opens for up to a tenth more or less, so that not all webhooks are probed at once', () => {
    const opened = [0, 0.999].map((random) => observe(undefined, hung, now, random)?.open_until ?? 0);
    expect(opened.map((until) => Math.round((until - now) / 100) / 10)).toEqual([4.5, 5.5]);
  });
});

describe('the soft deadline', () => {
  it.each([
    [undefined, 500, 'of a webhook that nothing is known of'],
    [200, 800, 'four times what is usual'],
    [900, 2500, 'at most'],
    [50, 500, 'never less than for an unknown one'],
  ])('where %s ms are usual is %i ms: %s', (usual_ms, expected, _why) => {
    expect(softDeadlineMs(usual_ms === undefined ? undefined : { usual_ms }, 500)).toBe(expected);
  });

  it('is none in the slow lane, where nobody else waits', () => {
    expect(softDeadlineMs({ lane: 'slow' }, 500)).toBeUndefined();
  });
});

describe('the slow lane', () => {
  it('is left at once after one late answer within two seconds, and what is usual is learned', () => {
    expect(taught(undefined, [answered(600)])).toEqual({ excused_at: now, usual_ms: 600 });
    expect(taught(undefined, [answered(1500)])).toEqual({ excused_at: now });
  });

  it('is not left after a second one within ten minutes, nor after one that took longer', () => {
    const once = taught(undefined, [answered(1500)]);
    expect(taught(once, [answered(1500)], now + 60 * second)).toMatchObject({ lane: 'slow' });
    expect(taught(undefined, [answered(3000)])).toMatchObject({ lane: 'slow', usual_ms: 3000 });
  });

  it('is left after three quick answers in a row', () => {
    const slow = taught(undefined, [answered(3000)]);
    expect(taught(slow, [answered(20), answered(20)])).toMatchObject({ lane: 'slow', quick: 2 });
    expect(taught(slow, [answered(20), answered(20), answered(3000), answered(20)])).toMatchObject({ quick: 1 });
    expect(taught(slow, [answered(20), answered(20), answered(20)])).toBeUndefined();
  });

  it('keeps what is usual without a write for each answer', () => {
    const slow = taught(undefined, [answered(3000)]);
    // Nothing is late in the slow lane, where no soft deadline is.
    const inTime = (durationMs: number) => ({ ...answered(durationMs), wasLate: false });
    expect(taught(slow, [inTime(2500), inTime(3900), inTime(1100)])).toEqual(slow);
    expect(taught(slow, [inTime(8000)])).toMatchObject({ usual_ms: 8000 });
  });
});
