/** A fair queue: messages of the group with the fewest in flight are received first. Messages that were sent together are one entry. */
import type { Clock } from './clock.ts';

interface Entry {
  count: number;
  readonly sentAt: number;
}

interface Group {
  readonly entries: Entry[];
  head: number;
  inFlight: number;
}

/** Messages of one group in a batch. */
export interface Taken {
  readonly group: string;
  readonly count: number;
  readonly sentAt: number;
}

export class FairQueue {
  visible = 0;
  inFlight = 0;
  /** Called when messages become visible. */
  onReady: () => void = () => {};
  private readonly groups = new Map<string, Group>();
  private readonly clock: Clock;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  send(name: string, count: number, delayMs = 0): void {
    if (count <= 0) return;
    if (delayMs > 0) {
      this.clock.after(delayMs, () => this.send(name, count));
      return;
    }
    let group = this.groups.get(name);
    if (group === undefined) {
      group = { entries: [], head: 0, inFlight: 0 };
      this.groups.set(name, group);
    }
    group.entries.push({ count, sentAt: this.clock.now });
    this.visible += count;
    this.onReady();
  }

  /** Takes up to `limit` messages. */
  receive(limit: number): Taken[] {
    const batch: Taken[] = [];
    let left = limit;
    while (left > 0 && this.visible > 0) {
      const [name, group] = this.quietest();
      const entry = group.entries[group.head];
      if (entry === undefined) break;
      const count = Math.min(left, entry.count);
      entry.count -= count;
      if (entry.count === 0) group.head++;
      if (group.head > 1000 && group.head * 2 > group.entries.length) {
        group.entries.splice(0, group.head);
        group.head = 0;
      }
      group.inFlight += count;
      this.inFlight += count;
      this.visible -= count;
      left -= count;
      batch.push({ group: name, count, sentAt: entry.sentAt });
    }
    return batch;
  }

  /** Ends the flight of messages: they were deleted, or are sent again by the caller. */
  end(batch: readonly Taken[]): void {
    for (const { group: name, count } of batch) {
      const group = this.groups.get(name);
      if (group !== undefined) group.inFlight -= count;
      this.inFlight -= count;
    }
  }

  private quietest(): readonly [string, Group] {
    let found: readonly [string, Group] | undefined;
    for (const candidate of this.groups) {
      const [, group] = candidate;
      if (group.head < group.entries.length && (found === undefined || group.inFlight < found[1].inFlight))
        found = candidate;
    }
    if (found === undefined) throw new Error('The queue is empty.');
    return found;
  }
}
