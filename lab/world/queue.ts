/** An SQS queue in memory: delays, visibility, receive counts, dead letters, the limit of messages in flight, and at-least-once. */
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
  isDeleted: boolean;
}

export interface QueueOptions {
  readonly visibilityMs: number;
  /** The receives after which a message is a dead letter. */
  readonly maxReceives: number;
  /** The maximum number of messages in flight (SQS limit). */
  readonly maxInFlight?: number;
}

export class Queue {
  readonly name: string;
  /** The dead letters, oldest first. */
  readonly dead: Message[] = [];
  /** Called when a message is visible. */
  onReady: () => void = () => {};
  /** Called with each message that is sent to the queue. */
  onSent: (message: Message) => void = () => {};
  inFlight = 0;
  private ready: Message[] = [];
  private head = 0;
  private sent = 0;
  private readonly world: World;
  private readonly options: QueueOptions;

  constructor(name: string, world: World, options: QueueOptions) {
    this.name = name;
    this.world = world;
    this.options = options;
  }

  /** The number of visible messages. */
  get visible(): number {
    return this.ready.length - this.head;
  }

  send(body: string, { group, delayMs = 0 }: { group?: string | undefined; delayMs?: number } = {}): Message {
    this.sent++;
    const message: Message = {
      id: `${this.name}-${this.sent}`,
      body,
      group,
      sentAt: this.world.now,
      firstReceivedAt: undefined,
      receives: 0,
      isInFlight: false,
      isDeleted: false,
    };
    this.onSent(message);
    this.show(message, delayMs);
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
    while (batch.length < count && this.visible > 0 && this.inFlight < maxInFlight) {
      const message = this.take(disorder);
      if (message.isDeleted) continue;
      message.receives++;
      message.firstReceivedAt ??= this.world.now;
      if (message.receives > maxReceives) {
        this.dead.push(message);
        continue;
      }
      message.isInFlight = true;
      this.inFlight++;
      this.world.after(visibilityMs, () => {
        if (message.isDeleted) return;
        this.land(message);
        this.push(message);
      });
      batch.push(message);
    }
    return batch;
  }

  /** Deletes a received message. */
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

  private land(message: Message): void {
    if (message.isInFlight) this.inFlight--;
    message.isInFlight = false;
  }

  private show(message: Message, afterMs: number): void {
    if (afterMs <= 0) this.push(message);
    else this.world.after(afterMs, () => this.push(message));
  }

  private push(message: Message): void {
    this.ready.push(message);
    this.onReady();
  }

  private take(disorder: number): Message {
    const { ready } = this;
    if (this.world.chance(disorder)) {
      const other = this.head + Math.floor(this.world.random() * Math.min(50, this.visible));
      [ready[this.head], ready[other]] = [ready[other] as Message, ready[this.head] as Message];
    }
    const message = ready[this.head] as Message;
    this.head++;
    if (this.head > 1000 && this.head * 2 > ready.length) {
      this.ready = ready.slice(this.head);
      this.head = 0;
    }
    return message;
  }
}
