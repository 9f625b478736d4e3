/** Moves a stage's dead letters back to their queues. Workers are idempotent, so moving a message twice is harmless. */
import { GetQueueAttributesCommand, GetQueueUrlCommand, SQSClient } from '@aws-sdk/client-sqs';
import { type QueueName, queueNames } from '../../../shared/contract.ts';
import { physicalName } from '../../cdk/names.ts';
import type { StageConfig } from '../../cdk/stage.ts';
import { print } from '../../command-line/print.ts';
import { findHome, readStackFile } from '../../local/home.ts';
import { hiddenSeconds, moveMessages } from './move-messages.ts';

/** The number of moved messages after which progress is printed. */
const progressEvery = 1000;
/** Maximum number of messages that are listed because they could not be moved. */
const maxListed = 10;

/** `say` prints what was moved. @throws SQS's errors, or an Error that lists the messages that could not be moved */
export const redriveStage = async (
  config: StageConfig,
  name: string | undefined,
  say: (text: string) => void = print,
): Promise<void> => {
  const chosen = queueNames.filter((queue) => name === undefined || queue === name);
  const client = clientOf(config);
  const left: string[] = [];
  for (const queue of chosen) left.push(...(await redriveQueue(client, config, queue, say)));
  if (left.length > 0) throw new Error(left.join('\n'));
};

/** Returns the client of a stage's queues. */
export const clientOf = ({ name, region }: StageConfig): SQSClient => {
  if (name !== 'local') return new SQSClient({ ...(region !== null && { region }), maxAttempts: 4 });
  const { endpoint, region: localRegion, ...credentials } = readStackFile(findHome()).aws;
  return new SQSClient({ endpoint, region: localRegion, credentials });
};

/** Moves the dead letters of one queue and prints how many; returns a line for each message that is left. */
const redriveQueue = async (
  client: SQSClient,
  config: StageConfig,
  queue: QueueName,
  say: (text: string) => void,
): Promise<readonly string[]> => {
  const dead = physicalName(config, queue, 'dead');
  let moved = 0;
  try {
    const from = await urlOf(client, dead);
    const left = await moveMessages({
      client,
      from,
      to: await urlOf(client, physicalName(config, queue)),
      onMoved: (count) => {
        if (Math.floor(count / progressEvery) > Math.floor(moved / progressEvery))
          say(`${queue}: ${messages(count)} moved so far`);
        moved = count;
      },
    });
    if (moved > 0) say(`${queue}: ${messages(moved)} moved`);
    else if (left.length === 0) say(await emptyText(client, queue, from));
    if (left.length === 0) return [];
    const more = left.length > maxListed ? [`  and ${left.length - maxListed} more`] : [];
    return [
      `${queue}: ${messages(left.length)} left in ${dead}`,
      ...left.slice(0, maxListed).map(({ id, reason }) => `  ${id}: ${reason}`),
      ...more,
    ];
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error.name === 'QueueDoesNotExist')
      throw new Error(`${queue}: ${error.message} Is the stage deployed? npm run cdk -- deploy '${config.name}/*'`);
    const before = moved === 0 ? '' : `${messages(moved)} moved, then `;
    throw new Error(
      `${queue}: ${before}${error.name}: ${error.message}\nNo message is lost. Fix the cause and run this again.`,
      { cause: error },
    );
  }
};

const messages = (count: number): string => `${count} message${count === 1 ? '' : 's'}`;

const urlOf = async (client: SQSClient, QueueName: string): Promise<string> => {
  const { QueueUrl = '' } = await client.send(new GetQueueUrlCommand({ QueueName }));
  return QueueUrl;
};

/** Reports that no message was received: the queue is empty, or another process has its messages in flight. */
const emptyText = async (client: SQSClient, queue: QueueName, QueueUrl: string): Promise<string> => {
  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['ApproximateNumberOfMessagesNotVisible'] }),
  );
  const taken = Number(Attributes?.ApproximateNumberOfMessagesNotVisible ?? 0);
  return taken === 0
    ? `${queue}: no dead letters`
    : `${queue}: ${messages(taken)} hidden, because somebody has received them: run this again in ${hiddenSeconds} ` +
        'seconds after a run that was stopped, or in ten minutes after reading them by hand';
};
