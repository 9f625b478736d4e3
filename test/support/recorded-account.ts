/** Recorded answers of an account: one in which the stage prod works, and one in which much is wrong. */
import { contract } from '../../shared/contract.ts';
import { type Recorded, refusal, xml } from './aws-answers.ts';
import { memoryOf } from './function-memory.ts';

export const account = '111111111111';
export const region = 'eu-central-1';

/** As CloudFormation answers: the state and the outputs of the stacks that exist. */
export const stacks = (
  all: Readonly<
    Record<
      string,
      { readonly state: string; readonly outputs?: Readonly<Record<string, string>>; readonly isProtected?: boolean }
    >
  >,
): Recorded => {
  return ({ StackName }) => {
    const name = String(StackName);
    const stack = all[name];
    if (stack === undefined) return refusal('ValidationError', `Stack with id ${name} does not exist`, true);
    const outputs = Object.entries(stack.outputs ?? {}).map(
      ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
    );
    return xml(
      'DescribeStacks',
      `<Stacks><member><StackId>arn:aws:cloudformation:${region}:${account}:stack/${name}/1</StackId>` +
        `<StackName>${name}</StackName>` +
        `<CreationTime>2026-11-01T08:00:00Z</CreationTime><StackStatus>${stack.state}</StackStatus>` +
        `<EnableTerminationProtection>${stack.isProtected ?? false}</EnableTerminationProtection>` +
        `<Outputs>${outputs.join('')}</Outputs></member></Stacks>`,
    );
  };
};

const complete = { state: 'UPDATE_COMPLETE' };
export const deployed = {
  CDKToolkit: { state: 'CREATE_COMPLETE', outputs: { BootstrapVersion: '30' } },
  'masthead-prod-data': {
    ...complete,
    outputs: { Stage: '{"name":"prod","release":"0.2.0","format":1,"input":{}}' },
  },
  'masthead-prod-mail': complete,
  'masthead-prod-observability': complete,
  ...Object.fromEntries(
    ['api', 'delivery', 'mailing', 'publishing', 'admin'].map((stack) => [`masthead-prod-${stack}`, complete]),
  ),
};

/** As SNS answers: the one subscription of each topic, confirmed or not. */
export const subscriptions =
  (isConfirmed: (topic: string) => boolean): Recorded =>
  ({ TopicArn }) => {
    const topic = String(TopicArn);
    const arn = isConfirmed(topic) ? `${topic}:1` : 'PendingConfirmation';
    return xml(
      'ListSubscriptionsByTopic',
      `<Subscriptions><member><TopicArn>${topic}</TopicArn><Protocol>email</Protocol>` +
        `<SubscriptionArn>${arn}</SubscriptionArn>` +
        `<Owner>${account}</Owner><Endpoint>on-call@example.org</Endpoint></member></Subscriptions>`,
    );
  };

const deadLetters = (counts: Readonly<Record<string, number>>): Readonly<Record<string, Recorded>> => ({
  'sqs:GetQueueUrl': ({ QueueName }, origin) => ({ body: { QueueUrl: `${origin}/${account}/${QueueName}` } }),
  'sqs:GetQueueAttributes': ({ QueueUrl }) => ({
    body: {
      Attributes: { ApproximateNumberOfMessages: String(counts[String(QueueUrl).split('/').at(-1) ?? ''] ?? 0) },
    },
  }),
});

/** What Lambda reported of one function, over what the others use. */
interface Report {
  readonly used_mb: number;
  readonly ms: number;
}

const key = { unused: '6a0000000000000000000001', used: '6a0000000000000000000002' };
const integration = '5a0000000000000000000001';

/** Logs Insights: a query runs first and is complete when it is asked for again. */
const insights = (
  reports: Readonly<Record<string, Report>>,
  keys: readonly string[],
): Readonly<Record<string, Recorded>> => {
  const queries: string[] = [];
  const asked = new Set<string>();
  const rowOf = (values: object) => Object.entries(values).map(([field, value]) => ({ field, value: String(value) }));
  return {
    'logs:StartQuery': ({ queryString }) => ({ body: { queryId: String(queries.push(String(queryString)) - 1) } }),
    'logs:GetQueryResults': ({ queryId }) => {
      const id = String(queryId);
      const isFirst = !asked.has(id);
      asked.add(id);
      if (isFirst) return { body: { status: 'Running', results: [] } };
      const isOfKeys = queries[Number(id)]?.includes('key_id') === true;
      const results = isOfKeys
        ? keys.map((key_id) => rowOf({ key_id, requests: 12 }))
        : contract.map((line) =>
            rowOf({
              name: `masthead-prod-${line.function.replaceAll('/', '-')}`,
              size_mb: memoryOf(line.function),
              ...(reports[line.function] ?? { used_mb: 120, ms: 80 }),
            }),
          );
      return { body: { status: 'Complete', results } };
    },
  };
};

const pages: Recorded = ({ ExpressionAttributeValues }) => {
  const values = Object(ExpressionAttributeValues);
  const pk = String(values[':pk']?.S);
  if (pk.startsWith('RELAY#')) return { body: { Items: [], Count: 0, ScannedCount: 0 } };
  const Items =
    pk === 'INTEGRATIONS'
      ? [{ id: { S: integration } }]
      : Object.values(key).map((id) => ({ id: { S: id }, created_at: { S: '2026-01-05T10:00:00.000Z' } }));
  return { body: { Items, Count: Items.length, ScannedCount: Items.length } };
};

const identity = (verified: boolean): Recorded => ({
  body: {
    IdentityType: 'DOMAIN',
    VerifiedForSendingStatus: verified,
    DkimAttributes: { SigningEnabled: true, Status: verified ? 'SUCCESS' : 'PENDING', Tokens: ['one', 'two', 'three'] },
  },
});

const common = {
  'sts:GetCallerIdentity': xml(
    'GetCallerIdentity',
    `<Arn>arn:aws:iam::${account}:user/ops</Arn><UserId>AIDA</UserId><Account>${account}</Account>`,
  ),
  'dynamodb:Query': pages,
} as const satisfies Readonly<Record<string, Recorded>>;

/** What Lambda has of the function `site/read` of a deployed stage. */
export const deployedBy = (url: string): Readonly<Record<string, Recorded>> => ({
  'lambda:GET /2015-03-31/functions/masthead-prod-site-read/configuration': {
    body: { Environment: { Variables: { SETTINGS: JSON.stringify({ publication: { url } }) } } },
  },
});

/** An account in which the stage works. */
export const healthy = (): Readonly<Record<string, Recorded>> => ({
  ...common,
  'cloudformation:DescribeStacks': stacks(deployed),
  'ses:GET /v2/email/account': {
    body: {
      ProductionAccessEnabled: true,
      SendingEnabled: true,
      EnforcementStatus: 'HEALTHY',
      SendQuota: { Max24HourSend: 50_000, MaxSendRate: 14, SentLast24Hours: 12 },
    },
  },
  'ses:GET /v2/email/identities/example.org': identity(true),
  'lambda:GET /2016-08-19/account-settings': {
    body: { AccountLimit: { ConcurrentExecutions: 1000, UnreservedConcurrentExecutions: 1000 } },
  },
  'apigateway:GET /account': { body: { throttleSettings: { rateLimit: 10_000, burstLimit: 5000 } } },
  'sns:ListSubscriptionsByTopic': subscriptions(() => true),
  'monitoring:DescribeAlarms': { body: { MetricAlarms: [] } },
  ...deployedBy('https://fieldnotes.press'),
  ...deadLetters({}),
  ...insights({}, Object.values(key)),
});

/** A new account with a stage in trouble. */
export const faulty = (): Readonly<Record<string, Recorded>> => ({
  ...common,
  'cloudformation:DescribeStacks': stacks({
    ...deployed,
    CDKToolkit: { state: 'CREATE_COMPLETE', outputs: { BootstrapVersion: '4' } },
    'masthead-prod-admin': { state: 'UPDATE_ROLLBACK_FAILED' },
  }),
  'ses:GET /v2/email/account': {
    body: {
      ProductionAccessEnabled: false,
      SendingEnabled: true,
      EnforcementStatus: 'HEALTHY',
      SendQuota: { Max24HourSend: 200, MaxSendRate: 1, SentLast24Hours: 0 },
    },
  },
  'ses:GET /v2/email/identities/example.org': identity(false),
  'lambda:GET /2016-08-19/account-settings': {
    body: { AccountLimit: { ConcurrentExecutions: 10, UnreservedConcurrentExecutions: 10 } },
  },
  'apigateway:GET /account': { body: { throttleSettings: { rateLimit: 20, burstLimit: 40 } } },
  'sns:ListSubscriptionsByTopic': subscriptions(() => false),
  'monitoring:DescribeAlarms': {
    body: {
      MetricAlarms: [
        {
          AlarmName: 'masthead-prod-faults',
          AlarmDescription: 'What to do: docs/operations.md#faults',
          StateValue: 'ALARM',
          StateReason: 'Threshold Crossed: 2 datapoints were greater than or equal to the threshold (1.0).',
        },
        {
          AlarmName: 'masthead-prod-oldest-mail',
          AlarmDescription: 'What to do: docs/operations.md#oldest-message',
          StateValue: 'ALARM',
          StateReason: 'Threshold Crossed: 1 datapoint was greater than or equal to the threshold (3600.0).',
        },
      ],
    },
  },
  ...deployedBy('https://www.example.org'),
  ...deadLetters({ 'masthead-prod-events-dead': 3, 'masthead-prod-mail-dead': 1 }),
  ...insights({ 'deliveries/fan-out': { used_mb: 500, ms: 900 }, 'roles/list': { used_mb: 100, ms: 8400 } }, [
    key.used,
  ]),
});
