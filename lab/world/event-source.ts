/** Reads a queue as Lambda's event source mapping does: in batches, with a maximum concurrency; deletes successes. */
import type { LambdaFunction, Outcome } from './lambda.ts';
import type { Message, Queue } from './queue.ts';
import type { Run } from './run.ts';
import type { Counts, Weather } from './weather.ts';
import type { World } from './world.ts';

/** Returns the ids of the messages that are not deleted: all if the invocation failed, or reported an unknown id. */
const failedOf = (outcome: Outcome, batch: readonly Message[]): ReadonlySet<string> => {
  const all = new Set(batch.map(({ id }) => id));
  if (outcome.kind !== 'returned') return all;
  const { batchItemFailures = [] } = (outcome.result ?? {}) as { batchItemFailures?: { itemIdentifier: string }[] };
  const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
  return [...failed].every((id) => all.has(id)) ? failed : all;
};

export interface EventSourceOptions {
  readonly batchSize: number;
  readonly concurrency: number;
  readonly world: World;
  readonly weather: Weather;
  readonly counts: Counts;
  /** Called at the end of an invocation with the bodies of the messages that were not deleted. */
  readonly onEnd: (run: Run, failed: readonly string[]) => void;
}

/** Minimum and maximum milliseconds until the poller receives a message. */
const pollMs = [2, 15] as const;
/** Minimum and maximum milliseconds until a throttled invocation is repeated. */
const throttledMs = [500, 1500] as const;
/** Maximum milliseconds between a message and its duplicate. */
const latestRepeatMs = 60_000;

export class EventSource {
  busy = 0;
  /** While false, nothing is received. */
  isEnabled = true;
  private isAwake = false;
  private readonly queue: Queue;
  private readonly target: LambdaFunction;
  private readonly options: EventSourceOptions;

  constructor(queue: Queue, target: LambdaFunction, options: EventSourceOptions) {
    this.queue = queue;
    this.target = target;
    this.options = options;
    queue.onReady = () => this.wake();
  }

  enable(): void {
    this.isEnabled = true;
    this.wake();
  }

  private wake(): void {
    const { world, concurrency } = this.options;
    if (this.isAwake || this.busy >= concurrency) return;
    this.isAwake = true;
    world.after(world.between(...pollMs), () => {
      this.isAwake = false;
      this.fill();
    });
  }

  private fill(): void {
    const { batchSize, concurrency, weather } = this.options;
    while (this.isEnabled && this.busy < concurrency && this.queue.visible > 0) {
      const { visible } = this.queue;
      const batch = this.queue.receive(batchSize, weather.reordered);
      // The limit of messages in flight is reached; the end of a batch wakes the poller again.
      if (batch.length === 0 && this.queue.visible === visible) return;
      if (batch.length === 0) continue;
      this.busy++;
      void this.work(batch).finally(() => {
        this.busy--;
        if (this.queue.visible > 0) this.wake();
      });
    }
  }

  private async work(batch: readonly Message[]): Promise<void> {
    const { world, weather, counts, onEnd } = this.options;
    for (const message of batch) {
      if (message.receives > 1 || !world.chance(weather.doubled / 2)) continue;
      counts.doubled++;
      this.queue.repeat(message, 0);
    }
    let run: Run | undefined;
    const onBegin = (begun: Run) => {
      run = begun;
    };
    const outcome = await this.invoke({ Records: batch.map((message) => this.record(message)) }, onBegin);
    const failed = failedOf(outcome, batch);
    for (const message of batch) {
      if (failed.has(message.id)) continue;
      this.queue.delete(message);
      if (!world.chance(weather.doubled / 2)) continue;
      counts.doubled++;
      this.queue.repeat(message, world.random() * latestRepeatMs);
    }
    if (run !== undefined)
      onEnd(
        run,
        batch.flatMap(({ id, body }) => (failed.has(id) ? [body] : [])),
      );
  }

  /** Lambda repeats a throttled invocation until the messages are visible again ("Backoff strategy" in its guide). */
  private async invoke(event: object, onBegin: (run: Run) => void): Promise<Outcome> {
    const { world } = this.options;
    const until = world.now + this.queue.visibilityMs;
    for (;;) {
      const outcome = await this.target.invoke(event, { onBegin });
      if (outcome.kind !== 'throttled' || world.now >= until) return outcome;
      await world.sleep(world.between(...throttledMs));
    }
  }

  private record({ id, body, group, receives, receipt, sentAt, firstReceivedAt = sentAt }: Message): object {
    return {
      messageId: id,
      receiptHandle: receipt,
      body,
      attributes: {
        ApproximateReceiveCount: String(receives),
        SentTimestamp: String(Math.floor(sentAt)),
        SenderId: '000000000000',
        ApproximateFirstReceiveTimestamp: String(Math.floor(firstReceivedAt)),
        ...(group !== undefined && { MessageGroupId: group }),
      },
      messageAttributes: {},
      md5OfBody: '',
      eventSource: 'aws:sqs',
      eventSourceARN: `arn:aws:sqs:eu-central-1:000000000000:masthead-simulated-${this.queue.name}`,
      awsRegion: 'eu-central-1',
    };
  }
}
