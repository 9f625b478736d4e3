/** Medians and quantiles. */

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
