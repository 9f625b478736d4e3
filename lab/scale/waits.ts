/** Waits of messages from sending to the end of their batch, in a histogram for each group. */

/** A bucket is 2.5 % wider than the one before. */
const growth = 1.025;
const buckets = 800;

const bucketOf = (ms: number): number =>
  Math.min(buckets - 1, Math.max(0, Math.round(Math.log(Math.max(1, ms)) / Math.log(growth))));

export class Waits {
  /** Of all groups. */
  count = 0;
  private sumMs = 0;
  private readonly groups = new Map<string, Float64Array>();
  private readonly counts = new Map<string, number>();

  add(group: string, ms: number, count: number): void {
    let histogram = this.groups.get(group);
    if (histogram === undefined) {
      histogram = new Float64Array(buckets);
      this.groups.set(group, histogram);
    }
    const bucket = bucketOf(ms);
    histogram[bucket] = (histogram[bucket] ?? 0) + count;
    this.count += count;
    this.counts.set(group, this.countOf(group) + count);
    this.sumMs += ms * count;
  }

  countOf(group: string): number {
    return this.counts.get(group) ?? 0;
  }

  forget(group: string): void {
    this.groups.delete(group);
    this.counts.delete(group);
  }

  get meanMs(): number {
    return this.sumMs / this.count;
  }

  /** Returns the quantile of a group's waits in ms; NaN without any. */
  quantile(group: string, share: number): number {
    const histogram = this.groups.get(group) ?? new Float64Array(buckets);
    let left = share * histogram.reduce((sum, count) => sum + count, 0);
    if (left === 0) return Number.NaN;
    for (const [bucket, count] of histogram.entries()) {
      left -= count;
      if (left <= 0) return growth ** bucket;
    }
    return growth ** buckets;
  }
}
