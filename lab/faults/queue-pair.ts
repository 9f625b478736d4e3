/** An embedded SQS queue and a simulated one on the same clock; each operation runs on both. */
import {
  CreateQueueCommand,
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { vi } from 'vitest';
import { Queue, type Message as SimulatedMessage } from '../world/queue.ts';
import { sendBatch } from '../world/sqs-client.ts';
import { World } from '../world/world.ts';
import type { QueueOperation } from './queue-operations.ts';

const visibilitySeconds = 10;
const maxReceives = 3;
/** Milliseconds after a whole second, because one of the queues may be a millisecond faster. */
const start = Date.parse('2026-11-01T00:00:00.500Z');

type Answer = readonly unknown[] | { readonly refused: string };

/** Makes a pair. `apply` returns both results, the embedded queue's first. */
export const makePair = async (sqs: SQSClient, name: string) => {
  vi.setSystemTime(start);
  await sqs.send(new CreateQueueCommand({ QueueName: `${name}-dead` }));
  const deadUrl = `http://sqs/000000000000/${name}-dead`;
  const dead = await sqs.send(new GetQueueAttributesCommand({ QueueUrl: deadUrl, AttributeNames: ['QueueArn'] }));
  const created = await sqs.send(
    new CreateQueueCommand({
      QueueName: name,
      Attributes: {
        VisibilityTimeout: String(visibilitySeconds),
        RedrivePolicy: JSON.stringify({
          deadLetterTargetArn: dead.Attributes?.QueueArn,
          maxReceiveCount: maxReceives,
        }),
      },
    }),
  );
  const QueueUrl = created.QueueUrl ?? '';
  const world = new World(1, start);
  const simulated = new Queue(name, world, { visibilityMs: visibilitySeconds * 1000, maxReceives });
  /** The received messages, keyed by the body that both queues return. */
  const atWork: { readonly real: Message; readonly simulated: SimulatedMessage }[] = [];

  const receiveAll = async (from: string): Promise<Message[]> => {
    const all: Message[] = [];
    for (;;) {
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({
          QueueUrl: from,
          MaxNumberOfMessages: 10,
          MessageSystemAttributeNames: ['ApproximateReceiveCount'],
        }),
      );
      if (Messages.length === 0) return all;
      all.push(...Messages);
    }
  };
  const shownReal = ({ Body, Attributes }: Message) => `${Body} ${Attributes?.ApproximateReceiveCount}`;
  const shownSimulated = ({ body, receives }: SimulatedMessage) => `${body} ${receives}`;

  const receive = async (): Promise<[Answer, Answer]> => {
    const real = (await receiveAll(QueueUrl)).toSorted((a, b) => (shownReal(a) < shownReal(b) ? -1 : 1));
    const ours: SimulatedMessage[] = [];
    while (simulated.visible > 0) ours.push(...simulated.receive(10));
    ours.sort((a, b) => (shownSimulated(a) < shownSimulated(b) ? -1 : 1));
    real.forEach((message, position) => {
      const other = ours[position];
      if (other !== undefined) atWork.push({ real: message, simulated: other });
    });
    return [real.map(shownReal), ours.map(shownSimulated)];
  };

  const send = async (entries: Extract<QueueOperation, { kind: 'send' }>['entries']): Promise<[Answer, Answer]> => {
    const idsOf = (some: readonly { readonly Id?: string | undefined }[] = []) => some.map(({ Id }) => Id);
    const answer = (sent: object): Answer => {
      const { Successful, Failed } = sent as Record<string, { Id: string }[] | undefined>;
      return [idsOf(Successful), idsOf(Failed)];
    };
    const refusal = (error: unknown): Answer => ({ refused: (error as Error).name });
    const real = await sqs
      .send(new SendMessageBatchCommand({ QueueUrl, Entries: entries.map((entry) => ({ ...entry })) }))
      .then(answer, refusal);
    try {
      return [real, answer(sendBatch(undefined, simulated, entries))];
    } catch (error) {
      return [real, refusal(error)];
    }
  };

  const apply = async (operation: QueueOperation): Promise<[Answer, Answer]> => {
    switch (operation.kind) {
      case 'send':
        return send(operation.entries);
      case 'receive':
        return receive();
      case 'delete': {
        const chosen = atWork.filter((_, position) => operation.positions.includes(position));
        if (chosen.length === 0) return [[], []];
        await sqs.send(
          new DeleteMessageBatchCommand({
            QueueUrl,
            Entries: chosen.map(({ real }, Id) => ({ Id: String(Id), ReceiptHandle: real.ReceiptHandle })),
          }),
        );
        for (const { simulated: message } of chosen) simulated.delete(message);
        atWork.splice(0, atWork.length, ...atWork.filter((one) => !chosen.includes(one)));
        return [[], []];
      }
      case 'wait':
        await world.during(world.sleep(operation.seconds * 1000));
        vi.setSystemTime(world.now);
        // A worker that exceeds the visibility timeout would lose its message; Lambda never exceeds it.
        atWork.length = 0;
        return [[], []];
      case 'redrive': {
        const letters = (await receiveAll(deadUrl)).map(({ Body }) => Body).sort();
        const ours = simulated.dead.splice(0).map(({ body }) => body);
        return [letters, ours.sort()];
      }
    }
  };
  return { apply };
};
