/** The settings that a stage can have, with their ranges and defaults. */
import * as v from 'valibot';
import { type ContractLine, contract, type QueueLine, queueNames, queueSources } from '../../shared/contract.ts';
import { emailAddress } from '../../shared/foundation/email.ts';
import { type Settings, type SettingsInput, settingsSchema } from '../../shared/foundation/settings.ts';
import { groupOf } from './function-groups.ts';

/** Retention periods that CloudWatch Logs accepts, in days, up to two years. */
const retentions = [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731] as const;

const functionOf = (kind: ContractLine['kind']) => {
  const names: readonly string[] = contract.filter((line) => line.kind === kind).map((line) => line.function);
  return v.pipe(
    v.string(),
    v.check((name) => names.includes(name), `must be one of ${names.join(', ')}`),
  );
};

/** A value that the CDK knows only when it deploys, such as the ARN of a topic of the same app. */
const token = String.raw`\$\{Token\[[^\]]+\]\}`;

const arnOf = (service: string, what: string, resource = '.+') =>
  v.pipe(
    v.string(),
    v.regex(new RegExp(`^(${token}|arn:aws[a-z-]*:${service}:${resource})$`), `must be the ARN of ${what}`),
  );

const hostName = v.pipe(
  v.string(),
  v.regex(/^([a-z0-9-]+\.)+[a-z]{2,}$/, 'must be a host name such as hooks.example.org'),
);

const hostedZone = v.strictObject({
  /** Id of a Route 53 hosted zone. */
  id: v.pipe(
    v.string(),
    v.regex(new RegExp(`^(${token}|Z[A-Z0-9]{5,31})$`), 'must be the id of a hosted zone such as Z0123456789ABC'),
  ),
  name: hostName,
});

const domain = v.strictObject({
  name: hostName,
  /** A certificate for the name in the stage's region. */
  certificateArn: arnOf('acm', 'an ACM certificate'),
  /** The zone of the DNS record. Default: none; create a record that points to the output `DomainTarget`. */
  hostedZone: v.optional(hostedZone),
});

const pipeline = v.strictObject({
  /** Owner and name of the GitHub repository whose workflows deploy the stage. */
  repository: v.pipe(v.string(), v.regex(/^[\w.-]+\/[\w.-]+$/, 'must be a repository such as example/masthead')),
  /** `existing` if the account has GitHub's identity provider; an account can have only one. */
  provider: v.optional(v.picklist(['create', 'existing']), 'create'),
});

const reserved = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000));

const rate = v.strictObject({
  /** Requests per second to one method. */
  ratePerSecond: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(10_000)),
  /** Concurrent requests to one method. */
  burst: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(5000)),
});

/** `urgent` alarms mean that events or mails are lost or have stopped; the others can wait for the next working day. */
const severities = v.optional(v.picklist(['all', 'urgent']), 'all');

const alarmTarget = v.union([
  v.strictObject({ email: emailAddress(), severities }),
  v.strictObject({
    /** A topic of your account, such as for on-call. Its policy must allow CloudWatch and EventBridge to publish. */
    topicArn: arnOf('sns', 'an SNS topic', String.raw`[a-z0-9-]+:\d{12}:[\w-]+`),
    severities,
  }),
]);

const accountId = v.pipe(v.string(), v.regex(/^\d{12}$/, 'must be the id of an AWS account, 12 digits'));

/** The id of an EC2 resource, such as `subnet-0a1b2c3d`. `Vpc.fromLookup` yields `p-12345` before it has asked AWS. */
const idOf = (kind: string) =>
  v.pipe(
    v.string(),
    v.regex(
      new RegExp(`^(${token}|${kind}-[0-9a-f]{8,17}|p-(12345|67890))$`),
      `must be an id such as ${kind}-0a1b2c3d4e5f60718`,
    ),
  );

const ipAddress = v.union(
  [v.pipe(v.string(), v.ip()), v.pipe(v.string(), v.regex(new RegExp(`^${token}$`)))],
  'must be an address such as 203.0.113.7',
);

const features = v.strictObject({
  /** One dashboard; an account has three for free. */
  dashboard: v.optional(v.boolean(), false),
  /** Alarms; each costs 0.10 USD a month beyond an account's ten free ones. */
  alarms: v.optional(v.boolean(), false),
  /** Alarms about Ghost sites that relay their events (docs/ghost.md). Requires `alarms`; one needs `accessLogs`. */
  relays: v.optional(v.boolean(), false),
  /** Shifts traffic in steps and rolls back on an alarm. Requires `alarms`, and thousands of events an hour. */
  canary: v.optional(v.boolean(), false),
  /** A web ACL in front of the API; from 10 USD a month. */
  waf: v.optional(v.boolean(), false),
  /** One line per request in CloudWatch Logs. API Gateway needs a role of the account for it: `apiLogsRole`. */
  accessLogs: v.optional(v.boolean(), false),
  /** AWS X-Ray traces the functions; 5 USD a million traces beyond the first 100,000 a month. */
  xray: v.optional(v.boolean(), false),
  /** A customer managed KMS key for table, queues and topics; 1 USD a month. A stage with `pipeline` must have it. */
  customerManagedKey: v.optional(v.boolean(), false),
});

/** The schemas of the name of a stage and of what its functions read. */
export const { stage: stageName, ...functionSettings } = settingsSchema.entries;

/** The schema of a stage's settings, those of its functions included. */
export const stageSchema = v.strictObject({
  ...functionSettings,
  /** The AWS account of the stage. Required to deploy; the credentials must belong to it. */
  account: v.optional(accountId),
  /** The region of the stage; null for the region of the AWS profile. */
  region: v.nullable(v.pipe(v.string(), v.regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'must be a region such as eu-central-1'))),
  /** The prefix of all resource names. Stages with one name in an account and region need different prefixes. */
  namePrefix: v.optional(
    v.pipe(
      v.string(),
      v.regex(
        /^(?!aws|ssm)[a-z][a-z0-9]{0,7}$/,
        'must have 1 to 8 lower-case letters and digits, and not begin with aws or ssm',
      ),
    ),
    'masthead',
  ),
  /** Tags of every resource, in addition to `application` and `stage`. */
  tags: v.optional(v.record(v.string(), v.string()), {}),
  /** The ARN of a managed policy that limits every role of the stage. */
  permissionsBoundary: v.optional(arnOf('iam', 'a managed policy')),
  /** The path of the API; the official Ghost client expects the default. */
  basePath: v.optional(
    v.pipe(v.string(), v.regex(/^(\/[a-z0-9-]+)+$/, 'must be a path such as /ghost/api')),
    '/ghost/api',
  ),
  /** Deploys source maps, which are larger than the code. `ops explain-stack` works without them. */
  sourceMaps: v.optional(v.boolean(), false),
  domain: v.optional(domain),
  /** `create` creates the sender's domain in SES; `existing` if the account already has it. */
  senderIdentity: v.optional(v.picklist(['create', 'existing']), 'create'),
  /** The zone for the DKIM records of a created identity. Default: none; the stack `mail` outputs the records. */
  senderHostedZone: v.optional(hostedZone),
  /** The functions' table, such as a restored one. Default: `masthead-<stage>`, which the stack `data` creates. */
  tableName: v.optional(v.pipe(v.string(), v.regex(/^[\w.-]{3,255}$/, 'must be the name of a DynamoDB table'))),
  /** Adds the stack `pipeline`: the roles for the workflows in `.github/workflows`. Default: none. */
  pipeline: v.optional(pipeline),
  /** Keeps table, queues and logs when their stack is deleted, and protects them from deletion. */
  retain: v.optional(v.boolean(), false),
  logRetentionDays: v.optional(v.picklist(retentions), 14),
  /** Who is notified of alarms, and of which severities. */
  alarmTargets: v.optional(v.array(alarmTarget), []),
  /** The URL of docs/operations.md for the recipients of alarms. */
  runbookUrl: v.optional(v.string(), 'docs/operations.md'),
  /** For more than 12,000 reads or 4,000 writes a second in the table's first hour. AWS charges once for raising it. */
  warmThroughput: v.optional(
    v.strictObject({
      readsPerSecond: v.pipe(v.number(), v.integer(), v.minValue(12_000)),
      writesPerSecond: v.pipe(v.number(), v.integer(), v.minValue(4000)),
    }),
  ),
  /**
   * `create` sets the role with which API Gateway writes logs in the account and region, and replaces an existing one;
   * `existing` keeps it. A stage with `accessLogs` needs a value, which `ops doctor` names.
   */
  apiLogsRole: v.optional(v.picklist(['create', 'existing'])),
  /**
   * `narrow` grants each write action its own partitions, `union` those of all the write actions of its function.
   * Set `union` if `ops seed` reports that IAM refuses transactions (docs/adr/0002-grants-by-leading-key.md).
   */
  transactionGrants: v.optional(v.picklist(['narrow', 'union']), 'narrow'),
  /** The qualifier of the CDK's bootstrap in the account, if it is not the CDK's default. */
  bootstrapQualifier: v.optional(
    v.pipe(v.string(), v.regex(/^[a-z0-9]{1,10}$/, 'must have 1 to 10 lower-case letters and digits')),
    'hnb659fds',
  ),
  /**
   * The rate of requests to an endpoint that needs a key. All callers share it, also those without a valid key.
   * Default: only the account's quota (docs/adr/0025-no-shared-throttle-for-callers-with-a-key.md).
   */
  throttle: v.optional(rate),
  /** Requests for a sign-in link, and look-ups of invitations. */
  throttleWithoutKey: v.optional(rate, { ratePerSecond: 50, burst: 100 }),
  throttleOf: v.optional(v.record(functionOf('endpoint'), rate), {}),
  /** Concurrent executions that Lambda allows the account in this region: 1,000 by default, 10 in a new account. */
  accountConcurrency: v.optional(v.pipe(v.number(), v.integer(), v.minValue(10)), 1000),
  /**
   * Maximum concurrency of a queue's function, from 2 to 1,000 (AWS limit). Default: the contract's.
   * Null for no cap: for queues that cannot fill up, or they take all of `accountConcurrency` from the API.
   */
  concurrency: v.optional(
    v.record(v.picklist(queueNames), v.nullable(v.pipe(v.number(), v.integer(), v.minValue(2), v.maxValue(1000)))),
    {},
  ),
  /**
   * Executions that Lambda reserves for each function of a group, which are also its maximum. Default: none; the
   * account's functions share its executions. At least 100 must stay unreserved (AWS limit).
   */
  reservedConcurrency: v.optional(
    v.partial(v.strictObject({ delivery: reserved, mailing: reserved, publishing: reserved, admin: reserved })),
    {},
  ),
  /** Minutes between runs of a scheduled function, at most 5, the alarms' period. Default: the contract's. */
  everyMinutes: v.optional(
    v.record(functionOf('schedule'), v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(5))),
    {},
  ),
  /**
   * Fixed addresses for deliveries. `natGateways` makes a VPC with one address in each of so many availability zones,
   * at about 50 USD a month each (docs/cost.md). Your own subnets must reach DynamoDB, SQS and the internet.
   */
  egress: v.optional(
    v.union([
      v.strictObject({ natGateways: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(3)) }),
      v.strictObject({
        subnetIds: v.pipe(v.array(idOf('subnet')), v.minLength(1)),
        securityGroupIds: v.pipe(v.array(idOf('sg')), v.minLength(1)),
        /** The addresses of your gateways, which the API tells receivers. */
        addresses: v.pipe(v.array(ipAddress), v.minLength(1)),
      }),
    ]),
  ),
  /** Who else may put events on the bus. Their events go to the webhooks of every integration. */
  bus: v.optional(
    v.strictObject({
      accounts: v.optional(v.array(accountId), []),
      /** Every account of this organization of AWS Organizations. */
      organization: v.optional(
        v.pipe(v.string(), v.regex(/^o-[a-z0-9]{10,32}$/, 'must be the id of an organization such as o-a1b2c3d4e5')),
      ),
    }),
    {},
  ),
  features: v.optional(features, {}),
});

/** The settings of a stage as you write them. Those of functions have their own type, which describes them. */
export type StageInput = Omit<SettingsInput, 'stage'> &
  Omit<v.InferInput<typeof stageSchema>, keyof typeof functionSettings>;

/** A validated stage: settings of the infrastructure, and `settings` of its functions. */
export interface StageConfig extends Omit<v.InferOutput<typeof stageSchema>, keyof typeof functionSettings> {
  readonly name: string;
  readonly input: StageInput;
  readonly settings: Settings;
}

/** Below this quota an account can't spare executions for one function: Lambda keeps 100 unreserved. */
const minQuotaToReserve = 200;

/**
 * Returns the executions that Lambda reserves for a function, also its maximum; undefined for none. Strangers can call
 * the endpoint of Ghost sites, so it has a twentieth of the account's by default: a flood leaves the rest to others.
 */
export const reservedOf = (config: StageConfig, line: ContractLine): number | undefined => {
  const { accountConcurrency, reservedConcurrency } = config;
  const ofGroup = reservedConcurrency[groupOf(line)];
  if (ofGroup !== undefined || line.kind !== 'endpoint' || line.signed !== true) return ofGroup;
  return accountConcurrency < minQuotaToReserve ? undefined : Math.floor(accountConcurrency / 20);
};

/** Returns the maximum concurrency of a queue; null for no cap. */
export const maxConcurrencyOf = (
  { concurrency }: Pick<StageConfig, 'concurrency'>,
  source: QueueLine['sources'][number],
): number | null => {
  const configured = concurrency[source.queue];
  return configured === undefined ? source.concurrency : configured;
};

/** Returns the concurrent executions that the queues and the schedules of a stage can take. */
export const executionsOf = (config: Pick<StageConfig, 'concurrency'>) => ({
  queues: queueSources().reduce((sum, source) => sum + (maxConcurrencyOf(config, source) ?? 0), 0),
  schedules: contract.filter(({ kind }) => kind === 'schedule').length,
});
