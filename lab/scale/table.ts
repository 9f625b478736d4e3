/**
 * The write capacity of an on-demand table: what a new one accepts, doubled every 30 minutes while it is used up, up to the quota; and that of
 * a partition key, which nothing raises.
 */
import type { Clock } from './clock.ts';
import { type Limits, type Reached, scaling } from './limits.ts';

/** The longest time that the SDK retries a throttled write, in ms; then the invocation fails. */
const patienceMs = 5000;

export class Table {
  /** Write units a second. */
  capacity: number;
  units = 0;
  /** When the capacity is used up to, in ms; also of each partition key that is named. */
  private usedUntil = 0;
  private readonly keys = new Map<string, { usedUntil: number; units: number }>();
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

  /** The write units of the partition key that has most. */
  get busiestKeyUnits(): number {
    return Math.max(0, ...[...this.keys.values()].map(({ units }) => units));
  }

  /**
   * Returns the ms that writes wait for capacity; undefined if the SDK gives up. A second's capacity can be used at once.
   * @param key the partition key, if others write to it at the same time
   */
  write(units: number, key?: string): number | undefined {
    const tableMs = this.writeToTable(units);
    const keyMs = key === undefined ? 0 : this.writeToKey(units, key);
    return tableMs === undefined || keyMs === undefined ? undefined : Math.max(tableMs, keyMs);
  }

  private writeToKey(units: number, name: string): number | undefined {
    const { now } = this.clock;
    const key = this.keys.get(name) ?? { usedUntil: now - 1000, units: 0 };
    this.keys.set(name, key);
    key.usedUntil = Math.max(key.usedUntil, now - 1000);
    const waitMs = key.usedUntil - now;
    if (waitMs > 0) this.reached.note('partition', now);
    if (waitMs > patienceMs) return undefined;
    key.usedUntil += (units * 1000) / scaling.partitionWrites;
    key.units += units;
    return Math.max(0, waitMs);
  }

  private writeToTable(units: number): number | undefined {
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
