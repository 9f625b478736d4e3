/** SQS in memory, in the place of `@aws-sdk/client-sqs`: the one command that `shared/aws/queues.ts` sends, and queues that Lambda reads. */
import { call, counted, weather } from './call.ts';
import { world } from './world.ts';

export interface Message {
  readonly id: string;
  readonly body: string;
  receives: number;
  deleted: boolean;
}

export interface Queue {
  readonly name: string;
  /** Can be received. */
  readonly ready: Message[];
  readonly dead: Message[];
  /** Waits, or is being worked on. */
  hidden: number;
  /** Is told when there is something to receive. */
  onReady: () => void;
}

const queues = new Map<string, Queue>();

export const queueNamed = (name: string): Queue => {
  const known = queues.get(name) ?? { name, ready: [], dead: [], hidden: 0, onReady: () => {} };
  queues.set(name, known);
  return known;
};

export const clearQueues = (): void => queues.clear();

/** Shows a message after so many ms, unless it is deleted by then. */
export const show = (queue: Queue, message: Message, afterMs: number): void => {
  queue.hidden++;
  world().after(afterMs, () => {
    queue.hidden--;
    if (message.deleted) return;
    queue.ready.push(message);
    queue.onReady();
  });
};

let ids = 0;
/** Puts a message into a queue. */
export const put = (queue: Queue, body: string, delaySeconds = 0): void => {
  ids++;
  show(queue, { id: `m${ids}`, body, receives: 0, deleted: false }, delaySeconds * 1000);
};

interface Entry {
  readonly Id: string;
  readonly MessageBody: string;
  readonly DelaySeconds?: number;
}

export class SendMessageBatchCommand {
  readonly input: { readonly QueueUrl: string; readonly Entries: readonly Entry[] };

  constructor(input: SendMessageBatchCommand['input']) {
    this.input = input;
  }
}

export class SQSClient {
  send({ input }: SendMessageBatchCommand): Promise<{ Failed: { Id: string }[] }> {
    return call('sqs', () => {
      const queue = queueNamed(input.QueueUrl);
      const { random, run } = world();
      const isPartly = run !== undefined && random() < weather.partlyTaken;
      if (isPartly) counted.partlyTaken++;
      const failed = isPartly ? input.Entries.filter(() => random() < 0.5) : [];
      for (const entry of input.Entries) if (!failed.includes(entry)) put(queue, entry.MessageBody, entry.DelaySeconds);
      return { Failed: failed.map(({ Id }) => ({ Id })) };
    });
  }
}
