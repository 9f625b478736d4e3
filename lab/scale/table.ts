/** The write capacity of an on-demand table: what a new one accepts, doubled every 30 minutes while it is used up, up to the quota. */
import type { Clock } from './clock.ts';
import { type Limits, type Reached, scaling } from './limits.ts';

/** The longest time that the SDK retries a throttled write, in ms; then the invocation fails. */
const patienceMs = 5000;

export class Table {
  /** Write units a second. */
  capacity: number;
  units = 0;
  /** When the capacity is used up to, in ms. */
  private usedUntil = 0;
  private saturatedSince: number | undefined;
  private readonly clock: Clock;
  private readonly limits: Pick<Limits, 'tableWrites' | 'tableQuota'>;
  private readonly reached: Reached;

  constructor(clock: Clock, limits: Pick<Limits, 'tableWrites' | 'tableQuota'>, reached: Reached) {
    this.clock = clock;
    this.limits = limits;
    this.reached = reached;
    this.capacity = limits.tableWrites;
  }

  /** Returns the ms that writes wait for capacity; undefined if the SDK gives up. A second's capacity can be used at once. */
  write(units: number): number | undefined {
    const { now } = this.clock;
    this.usedUntil = Math.max(this.usedUntil, now - 1000);
    const waitMs = this.usedUntil - now;
    if (waitMs > 0) {
      this.reached.note(this.capacity < this.limits.tableQuota ? 'tableWrites' : 'tableQuota', now);
      this.saturatedSince ??= now;
      if (now - this.saturatedSince >= scaling.tableDoublesInMs) {
        this.capacity = Math.min(this.limits.tableQuota, this.capacity * 2);
        this.saturatedSince = now;
      }
    } else if (waitMs <= -1000) this.saturatedSince = undefined;
    if (waitMs > patienceMs) return undefined;
    this.usedUntil += (units * 1000) / this.capacity;
    this.units += units;
    return Math.max(0, waitMs);
  }
}
