/** Medians, quantiles, and the confidence interval of a ratio of medians. */
import { randomNumbers } from '../../infra/emulator/proxy/random.ts';

/** Returns the quantile of the values; NaN without values. */
export const quantile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};

/** Returns the median; for an even number of values, the mean of the two in the middle. */
export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted.length >> 1;
  const [a = Number.NaN, b = Number.NaN] = [sorted[(sorted.length - 1) >> 1], sorted[upper]];
  return (a + b) / 2;
};

export interface Ratio {
  /** The median of the first values divided by the median of the second. */
  readonly value: number;
  /** The interval that contains 95 % of the ratios of resampled rounds. */
  readonly low: number;
  readonly high: number;
}

const resamples = 2000;

/**
 * Returns the ratio of the medians with its bootstrap interval. Rounds are drawn with replacement and in pairs, because the rounds of both sides ran
 * one after the other under the same load. A fixed seed makes a page reproducible.
 */
export const ratioOf = (values: readonly number[], base: readonly number[]): Ratio => {
  const rounds = Math.min(values.length, base.length);
  const random = randomNumbers(1);
  const found = Array.from({ length: resamples }, () => {
    const drawn = Array.from({ length: rounds }, () => Math.floor(random() * rounds));
    const of = (all: readonly number[]) => median(drawn.map((at) => all[at] ?? Number.NaN));
    return of(values) / of(base);
  });
  return { value: median(values) / median(base), low: quantile(found, 0.025), high: quantile(found, 0.975) };
};
