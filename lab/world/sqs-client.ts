/** The SQS client of an environment, which replaces `@aws-sdk/client-sqs`. */

import type { Modules } from './bundle.ts';
import { awsError } from './dynamodb/errors.ts';
import type { Environment } from './environment.ts';
import type { Queue } from './queue.ts';
import { Client, type ClientOptions, config, middlewareStack } from './sdk.ts';

/** Returns why SQS refuses an entry, independent of faults. */
const refusalOf = ({ MessageBody, DelaySeconds = 0, MessageGroupId }: Entry): string | undefined => {
  if (MessageBody === '') return 'MissingParameter';
  if (!Number.isInteger(DelaySeconds) || DelaySeconds < 0 || DelaySeconds > maxDelaySeconds)
    return 'InvalidParameterValue';
  return MessageGroupId !== undefined && !groupPattern.test(MessageGroupId) ? 'InvalidParameterValue' : undefined;
};

/** What the client needs of a queue. */
type Target = Pick<Queue, 'send' | 'visible' | 'hide'>;

/** The dead letters of a queue, as a queue. */
const deadLettersOf = (queue: Queue | undefined): Target | undefined =>
  queue && { send: (body, { group } = {}) => queue.bury(body, group), visible: queue.dead.length, hide: () => false };

/** Sends the entries of a batch. @throws the error of SQS for the whole batch */
export const sendBatch = (
  environment: Environment | undefined,
  queue: Target | undefined,
  entries: readonly Entry[],
): object => {
  if (queue === undefined) throw awsError('QueueDoesNotExist', 'The specified queue does not exist.');
  if (entries.length === 0)
    throw awsError('EmptyBatchRequest', 'There should be at least one SendMessageBatchRequestEntry in the request.');
  if (entries.length > 10)
    throw awsError('TooManyEntriesInBatchRequest', 'Maximum number of entries per request are 10.');
  if (new Set(entries.map(({ Id }) => Id)).size < entries.length)
    throw awsError('BatchEntryIdsNotDistinct', 'Two or more batch entries in the request have the same Id.');
  if (entries.reduce((sum, { MessageBody }) => sum + Buffer.byteLength(MessageBody), 0) > maxBatchBytes)
    throw awsError('BatchRequestTooLong', 'Batch requests cannot be longer than 1048576 bytes.');
  const isPartial =
    environment !== undefined && !environment.isFair && environment.world.chance(environment.weather.partial);
  if (isPartial) environment.counts.partial++;
  const Failed: object[] = [];
  const Successful: object[] = [];
  for (const entry of entries) {
    const reason = refusalOf(entry);
    // A failure of the service can come after its effect.
    const isFailed = reason !== undefined || (isPartial && environment.world.chance(0.5));
    if (reason === undefined && (!isFailed || environment?.world.chance(0.25)))
      queue.send(entry.MessageBody, { group: entry.MessageGroupId, delayMs: (entry.DelaySeconds ?? 0) * 1000 });
    if (isFailed) Failed.push({ Id: entry.Id, SenderFault: reason !== undefined, Code: reason ?? 'InternalError' });
    else Successful.push({ Id: entry.Id });
  }
  return { Successful, ...(Failed.length > 0 && { Failed }) };
};

interface Entry {
  readonly Id: string;
  readonly MessageBody: string;
  readonly DelaySeconds?: number | undefined;
  readonly MessageGroupId?: string | undefined;
}

interface SendInput {
  readonly QueueUrl: string;
  readonly Entries: readonly Entry[];
}

class SendMessageBatchCommand {
  readonly input: SendInput;

  constructor(input: SendInput) {
    this.input = input;
  }
}

class GetQueueAttributesCommand {
  readonly input: { readonly QueueUrl: string };

  constructor(input: { readonly QueueUrl: string }) {
    this.input = input;
  }
}

interface HideInput {
  readonly QueueUrl: string;
  readonly Entries: readonly {
    readonly Id: string;
    readonly ReceiptHandle: string;
    readonly VisibilityTimeout: number;
  }[];
}

class ChangeMessageVisibilityBatchCommand {
  readonly input: HideInput;

  constructor(input: HideInput) {
    this.input = input;
  }
}

/** The limits of SQS: bytes of a batch, seconds of a delay, characters of a group. */
const maxBatchBytes = 1024 * 1024;
const maxDelaySeconds = 900;
const groupPattern = /^[!-~]{1,128}$/;

/** Returns the module of the SQS client for an environment; queues by the last part of their URL. */
export const sqsModules = (environment: Environment, queues: ReadonlyMap<string, Queue>): Modules => {
  class SQSClient {
    readonly config = config;
    readonly middlewareStack = middlewareStack;
    private readonly client: Client;

    constructor(options: ClientOptions = {}) {
      this.client = new Client(environment, 'sqs', options);
    }

    send(
      command: SendMessageBatchCommand | GetQueueAttributesCommand | ChangeMessageVisibilityBatchCommand,
    ): Promise<object> {
      const { QueueUrl } = command.input;
      const name = QueueUrl.slice(QueueUrl.lastIndexOf('/') + 1);
      const queue = queues.get(name) ?? deadLettersOf(queues.get(name.replace(/-dead$/, '')));
      if (command instanceof GetQueueAttributesCommand)
        return this.client.send({ isWrite: false, size: 1, effect: () => attributesOf(queue) });
      if (command instanceof ChangeMessageVisibilityBatchCommand) {
        const { Entries } = command.input;
        return this.client.send({ isWrite: false, size: Entries.length, effect: () => hide(queue, Entries) });
      }
      const Entries = command.input.Entries.map((entry) => ({ ...entry }));
      return this.client.send({
        isWrite: true,
        size: Entries.length,
        effect: () => sendBatch(environment, queue, Entries),
      });
    }
  }
  return {
    '@aws-sdk/client-sqs': {
      SQSClient,
      SendMessageBatchCommand,
      GetQueueAttributesCommand,
      ChangeMessageVisibilityBatchCommand,
    },
  };
};

/** Changes how long messages in flight stay hidden. */
const hide = (queue: Target | undefined, entries: HideInput['Entries']): object => {
  if (queue === undefined) throw awsError('QueueDoesNotExist', 'The specified queue does not exist.');
  const isHidden = entries.map(({ ReceiptHandle, VisibilityTimeout }) =>
    queue.hide(ReceiptHandle, VisibilityTimeout * 1000),
  );
  const those = (state: boolean) => entries.filter((_, position) => isHidden[position] === state);
  return {
    Successful: those(true).map(({ Id }) => ({ Id })),
    Failed: those(false).map(({ Id }) => ({ Id, SenderFault: true, Code: 'MessageNotInflight' })),
  };
};

const attributesOf = (queue: Target | undefined): object => {
  if (queue === undefined) throw awsError('QueueDoesNotExist', 'The specified queue does not exist.');
  return { Attributes: { ApproximateNumberOfMessages: String(queue.visible) } };
};
