/**
 * `npm run ops -- redrive`: puts the dead letters of a stage back into the queues they came from. Workers take a message twice, so
 * what a stop doubles does no harm.
 */
import { parseArgs } from 'node:util';
import { GetQueueAttributesCommand, GetQueueUrlCommand, type Message, SQSClient } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { type ContractLine, contract, type QueueName } from '../../../shared/contract.ts';
import { messageText } from '../../../shared/foundation/queue-message.ts';
import { messageOfBusEvent } from '../../cdk/bus-message.ts';
import { physicalName } from '../../cdk/names.ts';
import type { StageConfig } from '../../cdk/stage.ts';
import { findHome, readStackFile } from '../home.ts';
import { moveMessages, type Parcel, takenSeconds } from './move-messages.ts';
import { OpsError } from './ops-error.ts';
import { stageOf } from './stage-of.ts';

const lines: readonly ContractLine[] = contract;
const queues = lines.flatMap((line) => (line.kind === 'queue' ? line.sources.map(({ queue }) => queue) : []));

const help = `npm run ops -- redrive <stage> [queue]

  <stage>   a stage of infra/cdk/stages.ts that is deployed, or local for the stack that runs on this machine
  [queue]   one of ${queues.join(', ')}; without it all of them
  --help    this text

Puts what lies in the stage's dead-letter queues back into the queues it came from, and tells how much. Do it when what made the
messages fail is mended. It may be stopped at any time and run again: a message is put back before it is deleted, so none is lost, and
workers skip what they have done. Events that EventBridge could not put into the queue events get the shape that the bus' rule gives.`;

/** Progress is told after so many messages. */
const progressEvery = 1000;
/** So many of what could not be put back are listed. */
const listed = 10;

/** @throws OpsError for wrong arguments, whatever SQS says, and messages that could not be put back */
export const redrive = async (args: readonly string[]): Promise<void> => {
  const { values, positionals } = readArguments(args);
  if (values.help) return console.log(help);
  const [stage, name, ...others] = positionals;
  if (others.length > 0) throw new OpsError(`${others.join(' ')} is too much\n\n${help}`);
  const config = stageOf(stage, { argument: '<stage>', orLocal: true });
  const chosen = queues.filter((queue) => name === undefined || queue === name);
  if (chosen.length === 0) throw new OpsError(`[queue] ${name} is none of ${queues.join(', ')}`);
  const client = clientOf(config);
  const stay: string[] = [];
  for (const queue of chosen) stay.push(...(await redriveQueue(client, config, queue)));
  if (stay.length > 0) throw new OpsError(stay.join('\n'));
};

const readArguments = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { help: { type: 'boolean', short: 'h' } },
    });
  } catch (error) {
    throw new OpsError(`${error instanceof Error ? error.message : error}\n\n${help}`);
  }
};

const clientOf = ({ name, region }: StageConfig): SQSClient => {
  if (name !== 'local') return new SQSClient({ ...(region !== null && { region }), maxAttempts: 4 });
  try {
    const { sqs } = readStackFile(findHome());
    const credentials = { accessKeyId: 'ops', secretAccessKey: 'ops' };
    return new SQSClient({ endpoint: sqs, region: 'eu-central-1', credentials, useQueueUrlAsEndpoint: false });
  } catch (error) {
    throw new OpsError(error instanceof Error ? error.message : String(error));
  }
};

/** Tells what went back of one queue; gives a sentence for each message that stays. */
const redriveQueue = async (client: SQSClient, config: StageConfig, queue: QueueName): Promise<readonly string[]> => {
  const dead = physicalName(config, queue, 'dead');
  let moved = 0;
  const ofBus = new Set<string | undefined>();
  try {
    const from = await urlOf(client, dead);
    const left = await moveMessages({
      client,
      from,
      to: await urlOf(client, physicalName(config, queue)),
      pack: (message) => {
        const event = queue === 'events' ? busEventIn(message) : undefined;
        if (event === undefined) return asItIs(message);
        if (event === 'unreadable')
          return { stays: 'it looks like an event of the bus, but not all of its fields are there' };
        ofBus.add(message.MessageId);
        return event;
      },
      onMoved: (count) => {
        if (Math.floor(count / progressEvery) > Math.floor(moved / progressEvery))
          console.log(`${queue}: ${count} so far`);
        moved = count;
      },
    });
    for (const { id } of left) ofBus.delete(id);
    const shaped = ofBus.size === 0 ? '' : `, ${ofBus.size} of them as the bus' rule shapes its events`;
    if (moved > 0) console.log(`${queue}: ${messages(moved)} put back${shaped}`);
    else if (left.length === 0) console.log(await nothingThere(client, queue, from));
    if (left.length === 0) return [];
    const more = left.length > listed ? [`  and ${left.length - listed} more`] : [];
    return [
      `${queue}: ${messages(left.length)} left in ${dead}`,
      ...left.slice(0, listed).map(({ id, reason }) => `  ${id}: ${reason}`),
      ...more,
    ];
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error.name === 'QueueDoesNotExist')
      throw new OpsError(`${queue}: ${error.message} Is the stage deployed? npm run cdk -- deploy '${config.name}/*'`);
    const before = moved === 0 ? '' : `${messages(moved)} put back, then `;
    throw new OpsError(
      `${queue}: ${before}${error.name}: ${error.message}\nNothing is lost; run this again when that is mended.`,
    );
  }
};

const messages = (count: number): string => `${count} message${count === 1 ? '' : 's'}`;

const urlOf = async (client: SQSClient, QueueName: string): Promise<string> => {
  const { QueueUrl = '' } = await client.send(new GetQueueUrlCommand({ QueueName }));
  return QueueUrl;
};

/** Nothing could be received: there is nothing, or somebody else has it just now. */
const nothingThere = async (client: SQSClient, queue: QueueName, QueueUrl: string): Promise<string> => {
  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['ApproximateNumberOfMessagesNotVisible'] }),
  );
  const taken = Number(Attributes?.ApproximateNumberOfMessagesNotVisible ?? 0);
  return taken === 0
    ? `${queue}: no dead letters`
    : `${queue}: ${messages(taken)} taken by somebody else, or by a run that was stopped: run this again in ${takenSeconds} seconds`;
};

const asItIs = ({ Body = '', MessageAttributes, Attributes }: Message): Parcel => ({
  text: Body,
  attributes: MessageAttributes,
  group: Attributes?.MessageGroupId,
});

const busEvent = v.object({
  id: v.string(),
  source: v.string(),
  'detail-type': v.string(),
  time: v.string(),
  detail: v.record(v.string(), v.unknown()),
});

/**
 * EventBridge puts what it cannot hand to the queue into the dead-letter queue itself, untransformed, with its own attributes (`RULE_ARN`,
 * `ERROR_CODE`, …) that no worker reads. Undefined for every other message.
 */
const busEventIn = ({ Body = '' }: Message): Parcel | 'unreadable' | undefined => {
  const json = v.safeParse(v.pipe(v.string(), v.parseJson(), v.looseObject({ 'detail-type': v.unknown() })), Body);
  if (!json.success) return undefined;
  const event = v.safeParse(busEvent, json.output);
  if (!event.success) return 'unreadable';
  const { id, source, 'detail-type': detailType, time, detail } = event.output;
  const text = messageText(messageOfBusEvent({ id, source, detailType, time, detail }));
  return { text, attributes: undefined, group: undefined };
};
