/** An SQS queue in memory: delays, visibility, receive counts, fairness, dead letters, flight limit, at-least-once. */
import type { Task } from './agenda.ts';
import { FairOrder } from './fairness.ts';
import type { World } from './world.ts';

export interface Message {
  readonly id: string;
  readonly body: string;
  readonly group: string | undefined;
  /** Epoch ms. */
  readonly sentAt: number;
  firstReceivedAt: number | undefined;
  receives: number;
  /** Whether it was received and is hidden. */
  isInFlight: boolean;
  /** Epoch ms of the last receive, and its receipt handle. */
  receivedAt: number;
  receipt: string;
  isDeleted: boolean;
}

export interface QueueOptions {
  readonly visibilityMs: number;
  readonly maxReceives: number;
  readonly maxInFlight?: number;
}

export class Queue {
  readonly name: string;
  readonly dead: Message[] = [];
  onReady: () => void = () => {};
  onSent: (message: Message) => void = () => {};
  inFlight = 0;
  visible = 0;
  private readonly order: FairOrder<Message>;
  private sent = 0;
  private received = 0;
  /** By receipt, the messages in flight and when they are visible again. */
  private readonly hidden = new Map<string, { readonly message: Message; shown: Task }>();
  private readonly world: World;
  private readonly options: QueueOptions;

  constructor(name: string, world: World, options: QueueOptions) {
    this.name = name;
    this.world = world;
    this.options = options;
    this.order = new FairOrder(world);
  }

  get visibilityMs(): number {
    return this.options.visibilityMs;
  }

  send(body: string, { group, delayMs = 0 }: { group?: string | undefined; delayMs?: number } = {}): Message {
    const message = this.message(body, group);
    this.onSent(message);
    this.show(message, delayMs);
    return message;
  }

  /** Adds a dead letter, as a worker does that gives up a message. */
  bury(body: string, group: string | undefined): Message {
    const message = this.message(body, group);
    this.dead.push(message);
    return message;
  }

  /** Delivers a message again with the same id: SQS delivers at least once. */
  repeat(message: Message, afterMs: number): void {
    this.show({ ...message, isInFlight: false, isDeleted: false }, afterMs);
  }

  /**
   * Receives messages up to a limit; those that were received too often become dead letters.
   * @param disorder the share of the messages that are received before older ones
   */
  receive(count: number, disorder = 0): Message[] {
    const { visibilityMs, maxReceives, maxInFlight = 120_000 } = this.options;
    const batch: Message[] = [];
    while (batch.length < count && this.inFlight < maxInFlight) {
      const message = this.take(disorder);
      if (message === undefined) break;
      if (message.isDeleted) continue;
      message.receives++;
      message.firstReceivedAt ??= this.world.now;
      if (message.receives > maxReceives) {
        this.dead.push(message);
        continue;
      }
      message.isInFlight = true;
      message.receivedAt = this.world.now;
      this.inFlight++;
      this.order.begin(message.group);
      this.received++;
      message.receipt = `${message.id}-${this.received}`;
      this.hidden.set(message.receipt, { message, shown: this.showAgain(message, visibilityMs) });
      batch.push(message);
    }
    return batch;
  }

  /** Hides a message in flight for `ms` from now. Returns false if the message is no longer in flight. */
  hide(receipt: string, ms: number): boolean {
    const found = this.hidden.get(receipt);
    if (found === undefined) return false;
    this.world.cancel(found.shown);
    found.shown = this.showAgain(found.message, ms);
    return true;
  }

  delete(message: Message): void {
    this.land(message);
    message.isDeleted = true;
  }

  /** Sends dead letters to the queue as new messages and returns their number. Default: all. */
  redrive(count = this.dead.length): number {
    const letters = this.dead.splice(0, count);
    for (const { body, group } of letters) this.send(body, { group });
    return letters.length;
  }

  private message(body: string, group: string | undefined): Message {
    this.sent++;
    return {
      id: `${this.name}-${this.sent}`,
      body,
      group,
      sentAt: this.world.now,
      firstReceivedAt: undefined,
      receives: 0,
      isInFlight: false,
      receivedAt: 0,
      receipt: '',
      isDeleted: false,
    };
  }

  private showAgain(message: Message, afterMs: number): Task {
    return this.world.after(afterMs, () => {
      this.land(message);
      this.push(message, false);
    });
  }

  private land(message: Message): void {
    this.world.cancel(this.hidden.get(message.receipt)?.shown);
    this.hidden.delete(message.receipt);
    if (message.isInFlight) {
      this.inFlight--;
      this.order.end(message.group, this.world.now - message.receivedAt);
    }
    message.isInFlight = false;
  }

  private show(message: Message, afterMs: number): void {
    if (afterMs <= 0) this.push(message);
    else this.world.after(afterMs, () => this.push(message));
  }

  private push(message: Message, isSent = true): void {
    this.visible++;
    this.order.add(message, message.group, { isSent });
    this.onReady();
  }

  private take(disorder: number): Message | undefined {
    if (this.world.chance(disorder)) this.order.disturb(this.world.random, 50);
    const message = this.order.first();
    if (message === undefined) return undefined;
    this.order.take();
    this.visible--;
    return message;
  }
}
