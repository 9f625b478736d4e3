/** Percentiles of durations from a histogram. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bucketOf, percentile } from '../../shared/stats/histogram.ts';

const histogramOf = (durations: readonly number[]): Map<number, number> => {
  const histogram = new Map<number, number>();
  for (const ms of durations) histogram.set(bucketOf(ms), (histogram.get(bucketOf(ms)) ?? 0) + 1);
  return histogram;
};

const twoDays = 48 * 3_600_000;

describe('a percentile', () => {
  it('is null without durations', () => {
    expect(percentile(new Map(), 0.5)).toBeNull();
  });

  it('differs from the exact value by at most a fifth, for durations of up to two days', () => {
    const durations = fc.array(fc.integer({ min: 8, max: twoDays }), { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(durations, fc.constantFrom(0.5, 0.95), (all, share) => {
        const exact = all.toSorted((one, other) => one - other)[Math.ceil(share * all.length) - 1] ?? Number.NaN;
        const found = percentile(histogramOf(all), share) ?? Number.NaN;
        expect(found).toBeGreaterThanOrEqual(Math.floor(exact * 0.8));
        expect(found).toBeLessThanOrEqual(Math.ceil(exact * 1.2));
      }),
    );
  });

  it('of a single duration is about that duration, even the shortest that is measured', () => {
    expect(percentile(histogramOf([8]), 0.5)).toBe(7);
    expect(percentile(histogramOf([8]), 0.95)).toBe(8);
  });

  it('is at most 8 ms for shorter durations, even negative ones', () => {
    expect(percentile(histogramOf([0, -20, 3]), 0.95)).toBeLessThanOrEqual(8);
  });

  it('treats longer durations as two days', () => {
    expect(percentile(histogramOf([10 * twoDays]), 0.5)).toBeGreaterThan(twoDays);
  });
});
