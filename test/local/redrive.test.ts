/** `npm run ops -- redrive` on the embedded queues, behind a proxy that fails as SQS does. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type MessageAttributeValue, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { type Queue, startFauxqs } from '../../infra/emulator/parts/fauxqs.ts';
import { provisionQueue } from '../../infra/emulator/provision.ts';
import { type Call, NoAnswer, type Step, withBody } from '../../infra/emulator/proxy/call.ts';
import { forwardToQueues } from '../../infra/emulator/proxy/forward.ts';
import { startProxy } from '../../infra/emulator/proxy/proxy.ts';
import type { QueueName } from '../../shared/contract.ts';
import { parseEventMessage } from '../../shared/events/bus-event.ts';
import { eventMessage } from '../../shared/events/event.ts';
import { messageText } from '../../shared/foundation/queue-message.ts';
import { deliveryTools } from '../support/deliveries.ts';
import { freshStack } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';
import { temporaryHome } from '../support/parts-running-stack.ts';
import { queueDefinitions, region } from '../support/parts-schema.ts';
import { runScript } from '../support/run-script.ts';

const stack = await freshStack();
const tools = deliveryTools(stack, await stack.seed());

const home = temporaryHome();
const part = startFauxqs();
let between: Step | undefined;
let sent: readonly Entry[][];
const entry = v.looseObject({ MessageBody: v.string(), MessageGroupId: v.optional(v.string()) });
type Entry = v.InferOutput<typeof entry>;
const batch = v.looseObject({ Entries: v.array(entry) });

const proxy = await startProxy(
  { sqs: forwardToQueues(part), dynamodb: () => Promise.reject(new Error()), ses: () => Promise.reject(new Error()) },
  [
    (call, next) => {
      if (call.action === 'SendMessageBatch') sent = [...sent, v.parse(batch, call.input).Entries];
      return between === undefined ? next(call) : between(call, next);
    },
  ],
);
for (const { queue } of queueDefinitions)
  for (const name of [`masthead-dev-${queue}`, `masthead-dev-${queue}-dead`])
    provisionQueue(part.queues, { name, attributes: {} }, `${proxy.origin}/000000000000/${name}`);

beforeEach(() => {
  between = undefined;
  sent = [];
  part.queues.clearMessages();
});
afterAll(async () => {
  await proxy.stop();
  await part.stop();
  home.remove();
});

const environment = {
  AWS_ENDPOINT_URL_SQS: proxy.origin,
  AWS_ACCESS_KEY_ID: 'ops',
  AWS_SECRET_ACCESS_KEY: 'ops',
  MASTHEAD_HOME: home.folder,
};
const ops = (...args: string[]) => runScript('infra/ops/ops.ts', args, environment);
const redrive = (queue: QueueName = 'events') => ops('redrive', '--stage', 'dev', queue);

const queueNamed = (name: string): Queue => {
  const queue = part.queues.getQueueByName(`masthead-dev-${name}`);
  if (queue === undefined) throw new Error(`The queue ${name} does not exist.`);
  return queue;
};
const bodiesIn = (name: string) =>
  queueNamed(name)
    .inspectMessages()
    .ready.map(({ body }) => body);
const showAgain = (name: string) => {
  const queue = queueNamed(name);
  for (const taken of queue.inflightMessages.values()) taken.visibilityDeadline = 0;
  queue.processTimers();
};

const sqs = new SQSClient({
  endpoint: proxy.origin,
  region,
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
});
const letter = (queue: QueueName, body: string, attributes?: Record<string, MessageAttributeValue>) =>
  sqs.send(
    new SendMessageCommand({
      QueueUrl: queueNamed(`${queue}-dead`).url,
      MessageBody: body,
      MessageAttributes: attributes,
    }),
  );

const busEvent = {
  version: '0',
  id: '6a7e8feb-b491-4cf7-a9f1-bf3703467718',
  'detail-type': 'tag.added',
  source: 'com.example.shop',
  account: '111111111111',
  time: '2026-11-21T08:00:00Z',
  region,
  resources: [],
  detail: { tag: { current: { name: 'News \u{1f5de}' } } },
};
const busAttributes = {
  RULE_ARN: {
    DataType: 'String',
    StringValue: `arn:aws:events:${region}:111111111111:rule/masthead-dev/ToEventsQueue`,
  },
  ERROR_CODE: { DataType: 'String', StringValue: 'NO_PERMISSIONS' },
};

describe('redrive', () => {
  it('moves the dead letters of all queues back, and prints how many', async () => {
    await letter('events', '{"a":1}');
    await letter('deliveries', '{"b":1}');
    await letter('deliveries', '{"b":2}');
    const { code, output } = await ops('redrive', '--stage', 'dev');
    expect(output.trim().split('\n').sort()).toEqual([
      'deletions: no dead letters',
      'deliveries: 2 messages moved',
      'events: 1 message moved',
      'mail: no dead letters',
      'replays: no dead letters',
      'slow-deliveries: no dead letters',
    ]);
    expect(code).toBe(0);
    expect(bodiesIn('events')).toEqual(['{"a":1}']);
    expect(bodiesIn('deliveries').sort()).toEqual(['{"b":1}', '{"b":2}']);
    for (const queue of ['events-dead', 'deliveries-dead'])
      expect(queueNamed(queue).inspectMessages()).toEqual({ ready: [], delayed: [], inflight: [] });
  });

  it('moves only the dead letters of a queue that is named', async () => {
    await letter('events', '{}');
    await letter('mail', '{}');
    expect(await redrive('mail')).toEqual({ code: 0, output: 'mail: 1 message moved\n' });
    expect(bodiesIn('events-dead')).toHaveLength(1);
  });

  it('preserves text, attributes and message group', async () => {
    const body = '{"text":  "blanks\\tand \\ud83d\\ude00 stay",\n"n":1e400}';
    await letter('slow-deliveries', body, { trace: { DataType: 'String', StringValue: 'x' } });
    const [message] = queueNamed('slow-deliveries-dead').messages;
    if (message !== undefined) message.messageGroupId = 'https://example.com';
    await redrive('slow-deliveries');
    expect(sent.flat()).toEqual([
      {
        Id: '0',
        MessageBody: body,
        MessageGroupId: 'https://example.com',
        MessageAttributes: { trace: { DataType: 'String', StringValue: 'x' } },
      },
    ]);
  });

  it('prints its progress, and sends long messages in batches that SQS accepts', async () => {
    for (let number = 0; number < 1000; number++) await letter('events', String(number));
    for (const digit of ['1', '2', '3']) await letter('events', digit.repeat(500_000));
    const { output } = await redrive();
    expect(output).toBe('events: 1000 messages moved so far\nevents: 1003 messages moved\n');
    expect(new Set(bodiesIn('events')).size).toBe(1003);
    expect(sent.slice(-2).map((entries) => entries.length)).toEqual([2, 1]);
  });
});

it('an event that EventBridge could not send to the queue is moved unchanged, and the worker can read it', async () => {
  await letter('events', '{"kind":"rest"}');
  await letter('events', messageText(busEvent), busAttributes);
  const { output } = await redrive();
  expect(output).toBe('events: 2 messages moved\n');
  const [other, message] = sent.flat();
  expect(other?.MessageBody).toBe('{"kind":"rest"}');
  expect(v.parse(eventMessage, parseEventMessage(message?.MessageBody ?? ''))).toEqual({
    kind: 'event',
    traceparent: undefined,
    id: busEvent.id,
    publisher: `eventbridge:${busEvent.account}:com.example.shop`,
    event: 'tag.added',
    accepted_at: busEvent.time,
    payload: { tag: { ...busEvent.detail.tag, previous: {} } },
  });
});

describe('a redrive that is killed between sending and deleting', () => {
  it('loses nothing: the next run sends the same messages again, and the receiver gets them once', async () => {
    const receiver = await receiveWebhooks();
    await tools.webhook(`${receiver.origin}/hook`, { event: 'tag.added' });
    // A webhook gets no event that is older than it.
    await letter('events', messageText({ ...busEvent, time: new Date().toISOString() }), busAttributes);
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, '../../infra/ops/ops.ts'), 'redrive', '--stage', 'dev', 'events'],
      {
        env: { ...process.env, ...environment },
      },
    );
    between = (call, next) => {
      if (call.action !== 'DeleteMessageBatch') return next(call);
      child.kill('SIGKILL');
      throw new NoAnswer('reset');
    };
    await once(child, 'exit');
    between = undefined;
    expect(bodiesIn('events')).toHaveLength(1);
    expect((await redrive()).output).toBe(
      'events: 1 message hidden, because somebody has received them: ' +
        'run this again in 60 seconds after a run that was stopped, or in ten minutes after reading them by hand\n',
    );

    showAgain('events-dead');
    expect((await redrive()).code).toBe(0);
    const bodies = bodiesIn('events').map((body) => JSON.parse(body));
    expect(bodies).toHaveLength(2);
    expect(await stack.work('events', bodies)).toEqual([]);
    const deliveries = (await stack.take('deliveries')).map(({ body }) => body);
    // The second message may repeat the page of the first one, which has the same delivery.
    expect(new Set(deliveries.map(({ delivery_id }) => delivery_id)).size).toBe(1);
    for (const delivery of deliveries) expect(await stack.work('deliveries', [delivery])).toEqual([]);
    expect(receiver.deliveries).toHaveLength(1);
    receiver.close();
  });
});

const deletionsRefused = (call: Call) => {
  const { Entries } = v.parse(v.object({ Entries: v.array(v.looseObject({ Id: v.string() })) }), call.input);
  const Failed = Entries.map(({ Id }) => ({ Id, SenderFault: false, Code: 'InternalError' }));
  const headers = { 'content-type': 'application/x-amz-json-1.0' };
  return { status: 200, headers, body: Buffer.from(JSON.stringify({ Successful: [], Failed })) };
};

describe('if SQS refuses', () => {
  it('one message of a batch, that message stays and is reported', async () => {
    for (const body of ['1', '2', '3']) await letter('mail', body);
    between = async (call, next) => {
      if (call.action !== 'SendMessageBatch') return next(call);
      const input = v.parse(batch, call.input);
      const [refused, ...others] = input.Entries;
      const fewer = Buffer.from(JSON.stringify({ ...input, Entries: others }));
      const headers = { ...call.headers, 'content-length': String(fewer.length) };
      const answer = await next(withBody({ ...call, headers }, fewer));
      const Failed = [{ Id: refused?.Id, SenderFault: false, Code: 'InternalError', Message: 'try again' }];
      const body = Buffer.from(JSON.stringify({ ...JSON.parse(answer.body.toString()), Failed }));
      return { ...answer, body };
    };
    const { code, output } = await redrive('mail');
    expect(output).toMatch(
      /^mail: 2 messages moved\nmail: 1 message left in masthead-dev-mail-dead\n {2}[-0-9a-f]{36}: the queue refused it: InternalError try again\n$/,
    );
    expect(code).toBe(1);
    showAgain('mail-dead');
    expect([...bodiesIn('mail'), ...bodiesIn('mail-dead')].sort()).toEqual(['1', '2', '3']);
  });

  it.each([
    [1, 0, /^mail: 1 message moved\n$/],
    [3, 1, /could not be deleted here: the next run moves it again/],
  ])('a deletion %i times, the deletion is retried and nothing is sent twice', async (times, code, expected) => {
    await letter('mail', '1');
    let refused = 0;
    between = async (call, next) => {
      if (call.action !== 'DeleteMessageBatch' || refused++ >= times) return next(call);
      return deletionsRefused(call);
    };
    const run = await redrive('mail');
    expect(run.output).toMatch(expected);
    expect(run.code).toBe(code);
    expect(bodiesIn('mail')).toEqual(['1']);
  });

  it('deletions until the message is visible again, it is deleted and not sent twice', async () => {
    await letter('mail', '1');
    let refused = 0;
    between = async (call, next) => {
      if (call.action !== 'DeleteMessageBatch' || refused++ >= 3) return next(call);
      if (refused === 3) showAgain('mail-dead');
      return deletionsRefused(call);
    };
    expect(await redrive('mail')).toEqual({ code: 0, output: 'mail: 1 message moved\n' });
    expect(sent).toHaveLength(1);
    expect(bodiesIn('mail-dead')).toEqual([]);
  });

  it('a whole batch, the command prints how many messages it moved, and the next run continues', async () => {
    for (let number = 0; number < 15; number++) await letter('mail', String(number));
    between = async (call, next) => {
      if (call.action !== 'SendMessageBatch' || sent.length === 1) return next(call);
      const body = { __type: 'com.amazonaws.sqs#KmsAccessDenied', message: 'the key may not be used' };
      const headers = { 'content-type': 'application/x-amz-json-1.0' };
      return { status: 400, headers, body: Buffer.from(JSON.stringify(body)) };
    };
    const { code, output } = await redrive('mail');
    expect(output).toMatch(
      /^mail: 10 messages moved, then KmsAccessDenied: the key may not be used\nNo message is lost/,
    );
    expect(code).toBe(1);
    between = undefined;
    showAgain('mail-dead');
    expect((await redrive('mail')).output).toBe('mail: 5 messages moved\n');
    expect(new Set(bodiesIn('mail')).size).toBe(15);
  });
});

it('a message that fails again immediately is moved only once', async () => {
  await letter('mail', '1');
  between = async (call, next) => {
    const answer = await next(call);
    const [message] = call.action === 'SendMessageBatch' ? queueNamed('mail').messages.splice(0) : [];
    if (message !== undefined) queueNamed('mail-dead').enqueue(message);
    return answer;
  };
  const { code, output } = await redrive('mail');
  expect(output).toContain('it was moved and has failed again');
  expect(code).toBe(1);
  expect(sent).toHaveLength(1);
});

it('the command reports that no stack runs on this machine', async () => {
  expect(await ops('redrive', '--stage', 'local')).toEqual({
    code: 1,
    output: `No stack runs in ${home.folder}. Start one with npm start.\n`,
  });
});

it('the command reports invalid arguments, and prints its arguments with --help', async () => {
  expect(await ops('--help')).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^ {2}redrive +Moves dead letters/m),
  });
  expect(await ops('redrive', '--help')).toMatchObject({ code: 0, output: expect.stringContaining('[queue]') });
  for (const [args, words, code] of [
    [[], '--stage is missing: dev, prod, local.', 2],
    [['--stage', 'test'], "--stage is 'test'; it must be one of dev, prod, local.", 2],
    [
      ['--stage', 'dev', 'event'],
      "<queue> is 'event'; it must be one of mail, events, replays, deliveries, slow-deliveries, deletions.",
      2,
    ],
    [['--stage', 'dev', 'events', 'mail'], "Unexpected argument 'mail'", 2],
    [['--stage', 'dev', '--what'], "Unknown option '--what'", 2],
    [['--stage', 'prod', 'mail'], "Is the stage deployed? npm run cdk -- deploy 'prod/*'", 1],
  ] as const)
    expect(await ops('redrive', ...args)).toMatchObject({ code, output: expect.stringContaining(words) });
});
