/** Runs every check of `ops doctor` on a stage in its account. */
import { ACMClient } from '@aws-sdk/client-acm';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SESv2Client } from '@aws-sdk/client-sesv2';
import { SNSClient } from '@aws-sdk/client-sns';
import { SQSClient } from '@aws-sdk/client-sqs';
import { STSClient } from '@aws-sdk/client-sts';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { tableName } from '../../cdk/names.ts';
import { sharingWith } from '../../cdk/shared-account.ts';
import type { StageConfig } from '../../cdk/stage.ts';
import { checkBootstrap, checkSettings, readAccount, readStacks } from './account.ts';
import { checkAlarms, checkSubscriptions } from './alarms.ts';
import { checkDeadLetters } from './dead-letters.ts';
import { checkDomain, type Names } from './domain.ts';
import { type Examined, type Finding, type Found, skipped, warning } from './finding.ts';
import { checkFunctions } from './functions.ts';
import { readGateway } from './gateway.ts';
import { queryLogs } from './insights.ts';
import { checkMail } from './mail.ts';
import { checkOwner } from './owner.ts';
import { checkApiThrottle, checkConcurrency } from './quotas.ts';
import { checkRelayAlarms, checkRelays } from './relays.ts';
import { checkRelease } from './release.ts';
import { checkKeys } from './unused-keys.ts';

const maxDays = 14;
const usedKeys = 'filter ispresent(key_id) | stats count() as requests by key_id | limit 10000';

/** Returns the findings in the order of a first deployment. A check that AWS refuses is only a warning. */
export const examine = async (
  config: StageConfig,
  names: Names,
  all: readonly StageConfig[] = [config],
): Promise<readonly Finding[]> => {
  const settings = { ...(config.region !== null && { region: config.region }), maxAttempts: 4 };
  const sts = new STSClient(settings);
  const region = await sts.config.region();
  const own = checkSettings(config);
  const { account, found: credentials } = await readAccount(sts, config);
  const first = [...named('settings', own), ...named('credentials', [credentials])];
  if (account === undefined)
    return [...first, ...named('all others', [skipped('They need credentials of the account of the stage.')])];

  const cloudFormation = new CloudFormationClient(settings);
  const logs = new CloudWatchLogsClient(settings);
  const state = await readStacks(cloudFormation, config).catch((error: unknown) => ({
    stacks: new Map<string, string>(),
    outputs: new Map<string, string>(),
    found: [refused(error)],
  }));
  const sharing = sharingWith(config, all);
  const examined: Examined = { config, sharing, account, region, stacks: state.stacks, outputs: state.outputs };
  const checks: Readonly<Record<string, () => Promise<readonly Found[]>>> = {
    bootstrap: () => checkBootstrap(cloudFormation, account, region, config.bootstrapQualifier),
    stacks: async () => state.found,
    release: async () => checkRelease(examined),
    owner: () => checkOwner(new LambdaClient(settings), examined),
    mail: () => checkMail(new SESv2Client(settings), examined),
    concurrency: () => checkConcurrency(new LambdaClient(settings), examined),
    throttle: async () => checkApiThrottle(await readGateway(sts, region, '/account'), examined),
    subscriptions: () => checkSubscriptions(new SNSClient(settings), examined),
    alarms: () => checkAlarms(new CloudWatchClient(settings), examined),
    'dead letters': () => checkDeadLetters(new SQSClient(settings), config),
    functions: () => checkFunctions(logs, examined),
    domain: () => checkDomain(new ACMClient(settings), names, examined, Date.now()),
    relays: async () => {
      if (!examined.stacks.has('data')) return [skipped('The stack data is not deployed.')];
      const client = DynamoDBDocumentClient.from(new DynamoDBClient(settings));
      const url = examined.outputs.get('Url') ?? '<url>';
      const found = await checkRelays(client, tableName(config), url, Date.now());
      return [...found, ...checkRelayAlarms(config, found)];
    },
    keys: async () => {
      if (!examined.stacks.has('data') || !examined.stacks.has('observability'))
        return [skipped('The stacks data and observability are not deployed.')];
      const days = Math.min(config.logRetentionDays, maxDays);
      const rows = await queryLogs(logs, config, usedKeys, days * 24);
      const used = new Set(rows.map(({ key_id = '' }) => key_id));
      const client = DynamoDBDocumentClient.from(new DynamoDBClient(settings));
      return checkKeys(client, tableName(config), used, days, Date.now());
    },
  };
  const others = Object.entries(checks).map(async ([check, run]) =>
    named(check, await run().catch((error: unknown) => [refused(error)])),
  );
  return [...first, ...(await Promise.all(others)).flat()];
};

const named = (check: string, found: readonly Found[]): Finding[] => found.map((one) => ({ check, ...one }));

const refused = (error: unknown): Found => {
  const [reason = ''] = (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).split('\n');
  // DynamoDB reports this when the caller may read the table, but not use its key.
  if (reason.includes('KMS key access denied'))
    return warning(
      `It could not be checked: the profile may not use the stage's key. ${reason}`,
      'allow it kms:Decrypt on the key: docs/operations.md#who-can-read-the-data',
    );
  const isDenied = /denied|authoriz/i.test(reason);
  const fix = isDenied
    ? "use a profile with AWS's managed policy ReadOnlyAccess"
    : 'check the network, and run this again';
  return warning(`It could not be checked. ${reason}`, fix);
};
