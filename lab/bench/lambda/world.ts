/** Everything the functions reach while they are measured: table, queues, mail and a receiver, outside their CPU quota, each with AWS's latency. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { CreateQueueCommand, DeleteMessageBatchCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { bundleFunctions } from '../../../infra/cdk/bundle.ts';
import { startDynoxide } from '../../../infra/emulator/parts/dynoxide.ts';
import { startFauxqs } from '../../../infra/emulator/parts/fauxqs.ts';
import { startSes } from '../../../infra/emulator/parts/ses.ts';
import type { Call, Step } from '../../../infra/emulator/proxy/call.ts';
import { forwardTo } from '../../../infra/emulator/proxy/forward.ts';
import { startProxy } from '../../../infra/emulator/proxy/proxy.ts';
import { keyText, makeKeys } from '../../../infra/local/keys.ts';
import { type ContractLine, contract, type FunctionName, type QueueName } from '../../../shared/contract.ts';
import { apiEvent, lambdaContext, queueRecord, type TestRequest } from '../../../test/support/parts-event.ts';
import { queueDefinitions, region, tableDefinition } from '../../../test/support/parts-schema.ts';
import { settingsText } from '../../../test/support/settings-text.ts';

/** Milliseconds before each part answers: typical for AWS's services within a region. */
export const latencies: Readonly<Record<Call['service'] | 'receiver', number>> = {
  dynamodb: 4,
  sqs: 8,
  ses: 40,
  receiver: 50,
};

const lines: readonly ContractLine[] = contract;
const basePath = '/ghost/api';

/** Starts the parts, fills the table, and sets the environment variables that the functions read. */
export const startWorld = async () => {
  const sqsPart = startFauxqs();
  const [dynamodbPart, sqsUrl, sesPart, bundles] = await Promise.all([
    startDynoxide(),
    sqsPart.app().then((app) => app.listen({ port: 0, host: '127.0.0.1' })),
    startSes(),
    bundleFunctions(),
  ]);
  const forwards = { dynamodb: forwardTo(dynamodbPart.url), sqs: forwardTo(sqsUrl), ses: forwardTo(sesPart.url) };
  let isFast = true;
  const slow: Step = async (call, next) => {
    const [answer] = await Promise.all([next(call), isFast ? undefined : wait(latencies[call.service])]);
    return answer;
  };
  const proxy = await startProxy(
    { dynamodb: forwards.dynamodb.forward, sqs: forwards.sqs.forward, ses: forwards.ses.forward },
    [slow],
  );
  let received = 0;
  const receiver = createServer((request, response) => {
    received++;
    request.resume();
    setTimeout(() => response.end('ok'), latencies.receiver);
  });
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  const address = receiver.address();
  const receiverPort = typeof address === 'object' && address !== null ? address.port : 0;
  const stage = 'bench';
  const TableName = `masthead-${stage}`;
  const credentials = { accessKeyId: 'bench', secretAccessKey: 'bench' };
  const queueUrl = (queue: QueueName) => `${proxy.origin}/000000000000/masthead-${stage}-${queue}`;
  const environment = {
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_ENDPOINT_URL_DYNAMODB: proxy.origin,
    AWS_ENDPOINT_URL_SQS: proxy.origin,
    AWS_ENDPOINT_URL_SES: proxy.origin,
    TABLE_NAME: TableName,
    BASE_URL: `http://localhost${basePath}`,
    MAIL_CONFIGURATION_SET: TableName,
    SERVICE_NAME: TableName,
    // Write logs as on AWS, and discard them.
    LOG_LEVEL: 'INFO',
    SETTINGS: settingsText({
      stage,
      publication: { name: 'Bench', url: 'https://bench.example' },
      mail: { from: 'desk@bench.example', perSecond: 10_000, perDay: null },
      targets: { allowHttp: true, allowRanges: ['loopback'] },
      invites: { perCallerAndHour: 1_000_000 },
    }),
    ...Object.fromEntries(
      queueDefinitions.map(({ queue }) => [`QUEUE_URL_${queue.toUpperCase().replaceAll('-', '_')}`, queueUrl(queue)]),
    ),
  };
  Object.assign(process.env, environment, { LOG_LEVEL: 'SILENT' });
  const table = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint: dynamodbPart.url, region, credentials }));
  const sqs = new SQSClient({ endpoint: sqsUrl, region, credentials, useQueueUrlAsEndpoint: false });
  await table.send(new CreateTableCommand(tableDefinition(TableName)));
  for (const { queue } of queueDefinitions)
    await sqs.send(new CreateQueueCommand({ QueueName: `masthead-${stage}-${queue}` }));

  const fileOf = (name: FunctionName) => pathToFileURL(join(bundles.folderOf(name), 'index.mjs')).href;
  const handlers = new Map<string, Promise<{ handler: (event: unknown, context: unknown) => Promise<unknown> }>>();
  /** Runs a function in this process, outside of any quota. */
  const invoke = async (name: FunctionName, event: unknown): Promise<unknown> => {
    const module = handlers.get(name) ?? import(fileOf(name));
    handlers.set(name, module);
    return (await module).handler(event, lambdaContext(name, 60));
  };
  const eventOf = (name: FunctionName, request: TestRequest) => {
    const line = lines.find((candidate) => candidate.function === name);
    if (line?.kind !== 'endpoint') throw new Error(`${name} is not an endpoint.`);
    return apiEvent({ method: line.method, ...request }, line.path, basePath);
  };
  const keys = makeKeys();
  await invoke('setup/seed', keys);
  const [integration = ''] = keys.integrations.map(keyText);
  const owner = keys.staff.filter(({ role }) => role === 'Owner').map(keyText)[0] ?? '';
  return {
    environment,
    table,
    tableName: TableName,
    keys: { integration, owner },
    target: (path: string) => `http://127.0.0.1:${receiverPort}/${path}`,
    fileOf,
    eventOf,
    invoke,
    /** Calls an endpoint in this process. @throws Error unless it succeeds */
    async call(name: FunctionName, request: TestRequest) {
      const answer = (await invoke(name, eventOf(name, request))) as { statusCode: number; body: string };
      if (answer.statusCode >= 400) throw new Error(`${name}: ${answer.statusCode} ${answer.body}`);
      return JSON.parse(answer.body || '{}');
    },
    batch: (queue: QueueName, bodies: readonly object[]) => ({
      Records: bodies.map((body) =>
        queueRecord(
          { body: JSON.stringify(body), messageId: randomUUID() },
          `arn:aws:sqs:${region}:000000000000:masthead-${stage}-${queue}`,
        ),
      ),
    }),
    /** Takes all messages from a queue. */
    async take(queue: QueueName): Promise<readonly object[]> {
      const bodies: object[] = [];
      for (;;) {
        const { Messages = [] } = await sqs.send(
          new ReceiveMessageCommand({ QueueUrl: queueUrl(queue), MaxNumberOfMessages: 10 }),
        );
        if (Messages.length === 0) return bodies;
        // Delete them: otherwise they return after the visibility timeout, in the middle of a later measurement.
        const Entries = Messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
        await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: queueUrl(queue), Entries }));
        bodies.push(...Messages.map(({ Body = '' }) => JSON.parse(Body)));
      }
    },
    /** The requests to the receiver. */
    received: () => received,
    /** Switches AWS's latency on or off for all parts. */
    setLatency(isReal: boolean) {
      isFast = !isReal;
    },
    async stop() {
      receiver.close();
      receiver.closeAllConnections();
      await proxy.stop();
      await Promise.all(Object.values(forwards).map(({ close }) => close()));
      await Promise.all([dynamodbPart.stop(), sqsPart.stop(), sesPart.stop()]);
    },
  };
};

export type World = Awaited<ReturnType<typeof startWorld>>;
