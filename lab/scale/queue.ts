/** A fair queue for millions of messages: those that were sent together are one entry. */
import { FairOrder } from '../world/fairness.ts';
import type { Clock } from './clock.ts';

interface Entry {
  readonly group: string;
  count: number;
  readonly sentAt: number;
}

/** What a batch has of one group. */
export interface Taken {
  readonly group: string;
  readonly count: number;
  readonly sentAt: number;
  readonly receivedAt: number;
}

export class FairQueue {
  visible = 0;
  inFlight = 0;
  /** Called when messages become visible. */
  onReady: () => void = () => {};
  private readonly order: FairOrder<Entry>;
  private readonly clock: Clock;

  /** @param inMessage how many of what is counted here SQS sees as one message */
  constructor(clock: Clock, inMessage = 1) {
    this.clock = clock;
    this.order = new FairOrder(clock, inMessage);
  }

  send(group: string, count: number, delayMs = 0): void {
    if (count <= 0) return;
    if (delayMs > 0) {
      this.clock.after(delayMs, () => this.send(group, count));
      return;
    }
    this.order.add({ group, count, sentAt: this.clock.now }, group, { units: count });
    this.visible += count;
    this.onReady();
  }

  /** Takes up to `limit`. */
  receive(limit: number): Taken[] {
    const batch: Taken[] = [];
    let left = limit;
    for (let entry = this.order.first(); left > 0 && entry !== undefined; entry = this.order.first()) {
      const count = Math.min(left, entry.count);
      entry.count -= count;
      this.order.take(count);
      this.order.begin(entry.group, count);
      this.inFlight += count;
      this.visible -= count;
      left -= count;
      batch.push({ group: entry.group, count, sentAt: entry.sentAt, receivedAt: this.clock.now });
    }
    return batch;
  }

  /** Ends a flight: the messages were deleted, or are sent again by the caller. */
  end(batch: readonly Taken[]): void {
    for (const { group, count, receivedAt } of batch) {
      this.order.end(group, this.clock.now - receivedAt, count);
      this.inFlight -= count;
    }
  }
}
