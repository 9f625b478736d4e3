/**
 * The order of a fair queue, as AWS publishes it
 * (https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-fair-queues-detailed.html):
 *
 * - A group is a noisy neighbour if it has over 10 % of the messages in flight and at least 30 of its own, or over
 *   10 % of the recent processing time of all consumers.
 * - Quiet groups' messages are received first, oldest first. Without any, it is the turn of the noisy group with the
 *   fewest messages in flight.
 * - A noisy group becomes quiet when its backlog is gone, or when it has sent nothing for five minutes.
 * - A message without a group is a group of its own.
 */
import { Fifo } from './fifo.ts';

const share = 0.1;
const leastInFlight = 30;
const forgottenMs = 5 * 60_000;
/** AWS does not say how long "recent" is. Processing time counts less the older it is, by this decay constant. */
const recentMs = 60_000;

interface Clock {
  readonly now: number;
}

/** A sum whose parts count less the older they are. */
class RecentSum {
  private value = 0;
  private at = 0;

  add(amount: number, now: number): void {
    this.value = this.of(now) + amount;
    this.at = now;
  }

  of(now: number): number {
    return this.value * Math.exp((this.at - now) / recentMs);
  }
}

interface Group<Item> {
  /** What waits, the content of `backlog` included. */
  waiting: number;
  inFlight: number;
  sentAt: number;
  readonly time: RecentSum;
  /** Its messages while it is noisy, as far as they were passed over. */
  readonly backlog: Fifo<Placed<Item>>;
}

interface Placed<Item> {
  readonly item: Item;
  readonly name: string | undefined;
  units: number;
  readonly order: number;
}

/** Items stand for units: messages, or parts of them if `unitsInMessage` says so. */
export class FairOrder<Item> {
  private readonly clock: Clock;
  private readonly least: number;
  private readonly quiet = new Fifo<Placed<Item>>();
  private readonly groups = new Map<string, Group<Item>>();
  private readonly noisy = new Set<Group<Item>>();
  private readonly time = new RecentSum();
  private inFlight = 0;
  private orders = 0;

  constructor(clock: Clock, unitsInMessage = 1) {
    this.clock = clock;
    this.least = leastInFlight * unitsInMessage;
  }

  /** Adds an item of a group. `isSent` is false for one that is visible again. */
  add(item: Item, name: string | undefined, { units = 1, isSent = true } = {}): void {
    this.orders++;
    this.quiet.push({ item, name, units, order: this.orders });
    if (name === undefined) return;
    const group = this.group(name);
    group.waiting += units;
    if (isSent) group.sentAt = this.clock.now;
    this.judge(group);
  }

  first(): Item | undefined {
    return this.source()?.peek()?.item;
  }

  /** Takes units from the item whose turn it is, which is removed with its last one. */
  take(units = 1): void {
    const source = this.source();
    const placed = source?.peek();
    if (source === undefined || placed === undefined) return;
    placed.units -= units;
    if (placed.units <= 0) source.shift();
    if (placed.name === undefined) return;
    const group = this.group(placed.name);
    group.waiting -= units;
    if (group.waiting <= 0) this.noisy.delete(group);
  }

  /** Exchanges the first quiet item with one of the next ones: the queue does not keep the order strictly. */
  disturb(random: () => number, among: number): void {
    if (this.quiet.size > 1) this.quiet.swapFirst(Math.floor(random() * Math.min(among, this.quiet.size)));
  }

  begin(name: string | undefined, units = 1): void {
    this.inFlight += units;
    if (name === undefined) return;
    const group = this.group(name);
    group.inFlight += units;
    this.judge(group);
  }

  /** The flight of units ends after this time in ms. */
  end(name: string | undefined, ms: number, units = 1): void {
    const { now } = this.clock;
    this.inFlight -= units;
    this.time.add(ms * units, now);
    if (name === undefined) return;
    const group = this.group(name);
    group.inFlight -= units;
    group.time.add(ms * units, now);
    this.judge(group);
  }

  isNoisy(name: string): boolean {
    return this.noisy.has(this.group(name));
  }

  private group(name: string): Group<Item> {
    const known = this.groups.get(name);
    if (known !== undefined) return known;
    const group = {
      waiting: 0,
      inFlight: 0,
      sentAt: this.clock.now,
      time: new RecentSum(),
      backlog: new Fifo<Placed<Item>>(),
    };
    this.groups.set(name, group);
    return group;
  }

  private judge(group: Group<Item>): void {
    const { now } = this.clock;
    if (group.waiting <= 0 || now - group.sentAt >= forgottenMs) return;
    const hasManyInFlight = group.inFlight >= this.least && group.inFlight > share * this.inFlight;
    if (hasManyInFlight || group.time.of(now) > share * this.time.of(now)) this.noisy.add(group);
  }

  /** Returns the list whose first item has its turn. */
  private source(): Fifo<Placed<Item>> | undefined {
    this.forgive();
    for (let next = this.quiet.peek(); next !== undefined; next = this.quiet.peek()) {
      const group = next.name === undefined ? undefined : this.group(next.name);
      if (group === undefined || !this.noisy.has(group)) return this.quiet;
      this.quiet.shift();
      group.backlog.push(next);
    }
    let least: Group<Item> | undefined;
    for (const group of this.noisy)
      if (group.backlog.size > 0 && (least === undefined || group.inFlight < least.inFlight)) least = group;
    return least?.backlog;
  }

  /** Groups that have sent nothing for long are quiet again, and their messages back in their place. */
  private forgive(): void {
    for (const group of this.noisy) {
      if (this.clock.now - group.sentAt < forgottenMs) continue;
      this.noisy.delete(group);
      const all = [...group.backlog.takeAll(), ...this.quiet.takeAll()].sort((one, other) => one.order - other.order);
      for (const placed of all) this.quiet.push(placed);
    }
  }
}
