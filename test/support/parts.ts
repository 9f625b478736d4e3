/**
 * A fresh table, fresh queues and a mailbox for one test file, and ways to call the functions on them.
 *
 * The handlers read their environment when they are first called, so they are imported by `call` and `work`, after
 * `freshStack` has set it; a test file must not import them itself.
 */
import { randomBytes } from 'node:crypto';
import { CreateTableCommand, DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { CreateQueueCommand, DeleteQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { afterAll, inject } from 'vitest';
import type { Counts } from '../../infra/emulator/proxy/count.ts';
import type { Faults } from '../../infra/emulator/proxy/faults.ts';
import { keyText, makeKeys } from '../../infra/local/keys.ts';
import { contract, type FunctionName, type QueueName } from '../../shared/contract.ts';
import type { SettingsInput } from '../../shared/foundation/settings.ts';
import { apiEvent, type TestRequest } from './parts-event.ts';
import { invoker, type LoadHandler } from './parts-invoke.ts';
import { ownAccessKey, startTestProxy } from './parts-proxy.ts';
import { queueTools, type TestQueues } from './parts-queues.ts';
import { queueDefinitions, region, tableDefinition } from './parts-schema.ts';
import { settingsText } from './settings-text.ts';

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const toResponse = (result: unknown): TestResponse => {
  const { statusCode, headers, multiValueHeaders, body } = v.parse(answerSchema, result);
  const several = Object.entries(multiValueHeaders).map(([name, values]) => [name, values.join(', ')] as const);
  const lower = [...Object.entries(headers), ...several].map(
    ([name, value]) => [name.toLowerCase(), String(value)] as const,
  );
  return { status: statusCode, headers: Object.fromEntries(lower), text: body, body: parsed(body) };
};

export interface TestResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The parsed body if it is JSON, otherwise undefined. */
  // biome-ignore lint/suspicious/noExplicitAny: tests assert the content of a body
  readonly body: any;
}

export interface FreshStack extends TestQueues {
  readonly tableName: string;
  readonly baseUrl: string;
  readonly region: string;
  readonly parts: { readonly dynamodb: string; readonly sqs: string; readonly ses: string };
  readonly dynamodb: DynamoDBClient;
  /** The injected faults, `faults.set({ faults: […] })` (lab/reports/faults.md). Default: none. */
  readonly faults: Faults;
  counts(): Counts;
  call(name: FunctionName, request: TestRequest): Promise<TestResponse>;
  invoke(name: string, event: unknown): Promise<unknown>;
  /** Creates the roles, a staff member of each and two integrations with the function `setup/seed`. */
  seed(): Promise<SeededKeys>;
  /** The address of the sender, which no other file has. */
  readonly sender: string;
  /** Returns the mails of this stack to this address, oldest first. */
  mailsTo(address: string): Promise<readonly SentMail[]>;
}

/** Keys in the form of clients, `id:secret`. */
export interface SeededKeys {
  /** By role. */
  readonly staff: Readonly<Record<string, string>>;
  readonly owner: string;
  readonly integration: string;
  readonly otherIntegration: string;
}

const mailSchema = v.object({
  messageId: v.string(),
  from: v.string(),
  subject: v.string(),
  destination: v.object({ to: v.array(v.string()) }),
  body: v.object({ text: v.optional(v.string()), html: v.optional(v.string()) }),
  /** Epoch seconds. */
  at: v.number(),
  source: v.optional(v.string()),
});

/** A mail in the SES part. */
export type SentMail = v.InferOutput<typeof mailSchema>;

const basePath = '/ghost/api';

/**
 * Creates a table, queues and the environment for a file; call it once, at its top. `settings` overrides those of tests
 * (publication, sender, http and loopback targets); `load` replaces the handlers of the sources.
 */
export const freshStack = async (settings: Partial<SettingsInput> = {}, load?: LoadHandler): Promise<FreshStack> => {
  const parts = inject('parts');
  const mails = new Map<string, SentMail>();
  let newestMail = Math.floor(Date.now() / 1000);
  const stage = `t${randomBytes(4).toString('hex')}`;
  const tableName = `masthead-${stage}`;
  const baseUrl = `http://localhost${basePath}`;
  const own = { ...testSettings(stage), ...settings };
  const proxy = await startTestProxy({ stage, sender: own.mail.from });
  const invoke = invoker(proxy.run, load);
  Object.assign(process.env, {
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: ownAccessKey,
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_ENDPOINT_URL_DYNAMODB: proxy.url,
    AWS_ENDPOINT_URL_SQS: proxy.url,
    AWS_ENDPOINT_URL_SES: proxy.url,
    TABLE_NAME: tableName,
    BASE_URL: baseUrl,
    MAIL_CONFIGURATION_SET: `masthead-${stage}`,
    SETTINGS: settingsText(own),
    SERVICE_NAME: 'masthead',
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'SILENT',
  });
  // Directly, not through the proxy.
  const dynamodb = new DynamoDBClient({ endpoint: parts.dynamodb });
  // The SDK prepares log entries also without a logger, which takes long for a scan of many items.
  dynamodb.middlewareStack.remove('loggerMiddleware');
  const sqs = new SQSClient({ endpoint: parts.sqs, useQueueUrlAsEndpoint: false });
  await dynamodb.send(new CreateTableCommand(tableDefinition(tableName)));
  const urls = new Map<QueueName, string>();
  for (const { queue, visibilitySeconds, maxReceiveCount } of queueDefinitions) {
    const name = `masthead-${stage}-${queue}`;
    await sqs.send(new CreateQueueCommand({ QueueName: `${name}-dead` }));
    const created = await sqs.send(
      new CreateQueueCommand({
        QueueName: name,
        Attributes: {
          VisibilityTimeout: String(visibilitySeconds),
          RedrivePolicy: JSON.stringify({
            deadLetterTargetArn: `arn:aws:sqs:${region}:000000000000:${name}-dead`,
            maxReceiveCount,
          }),
        },
      }),
    );
    urls.set(queue, created.QueueUrl ?? '');
    for (const [own, physical] of [
      [queue, name],
      [`${queue}-dead`, `${name}-dead`],
    ] as const)
      process.env[`QUEUE_URL_${own.toUpperCase().replaceAll('-', '_')}`] = `${proxy.url}/000000000000/${physical}`;
  }
  afterAll(async () => {
    await dynamodb.send(new DeleteTableCommand({ TableName: tableName }));
    for (const url of urls.values())
      for (const QueueUrl of [url, `${url}-dead`]) await sqs.send(new DeleteQueueCommand({ QueueUrl }));
  });
  return {
    tableName,
    baseUrl,
    region,
    sender: own.mail.from,
    parts,
    dynamodb,
    faults: proxy.faults,
    counts: () => proxy.counter.read(),
    invoke,
    ...queueTools({ proxy, stage, sqs, urls, origin: parts.sqs, invoke }),
    async call(name, request) {
      const line = contract.find((candidate) => candidate.function === name);
      const version = /^\/[^/]+\/admin\//.test(request.path) ? '/{version}' : '';
      const resource = line?.kind === 'endpoint' ? `${version}${line.path}` : '/{proxy+}';
      const method = request.method ?? (line?.kind === 'endpoint' ? line.method : 'GET');
      return toResponse(await invoke(name, apiEvent({ ...request, method }, resource, basePath)));
    },
    async seed() {
      const keys = makeKeys();
      await invoke('setup/seed', keys);
      const staff = Object.fromEntries(keys.staff.map((member) => [member.role, keyText(member)]));
      const [integration = '', otherIntegration = ''] = keys.integrations.map(keyText);
      return { staff, owner: staff.Owner ?? '', integration, otherIntegration };
    },
    async mailsTo(address) {
      // All files share the mailbox, so only its newest mails are read.
      const store = await fetch(`${parts.ses}/store?since=${newestMail}`);
      const { emails } = v.parse(v.object({ emails: v.array(mailSchema) }), await store.json());
      newestMail = emails.at(-1)?.at ?? newestMail;
      for (const mail of emails) if (mail.from.includes(own.mail.from)) mails.set(mail.messageId, mail);
      return [...mails.values()].filter(({ destination }) =>
        destination.to.some((to) => to.toLowerCase() === address.toLowerCase()),
      );
    },
  };
};

const testSettings = (stage: string): SettingsInput => ({
  stage,
  publication: { name: 'The Daily Test', url: 'http://localhost' },
  // Files that run at the same time share the mailbox, and the addresses of the staff.
  mail: { from: `desk-${stage}@example.com`, perSecond: 1000, perDay: null },
  targets: { allowHttp: true, allowRanges: ['loopback'] },
  // All receivers of tests are at one host, and time often stands still.
  deliveries: { unansweredPerHostAndSecond: 100 },
  allowedOrigins: ['https://console.example.com'],
});

const answerSchema = v.object({
  statusCode: v.number(),
  headers: v.optional(v.record(v.string(), v.union([v.string(), v.number(), v.boolean()])), {}),
  multiValueHeaders: v.optional(v.record(v.string(), v.array(v.string())), {}),
  body: v.optional(v.string(), ''),
});
