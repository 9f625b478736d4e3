/** Examines the stack that runs on this machine. */
import { existsSync, readFileSync } from 'node:fs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { StageConfig } from '../../cdk/stage.ts';
import { findHome, readStackFile } from '../../local/home.ts';
import { checkDeadLetters } from './dead-letters.ts';
import type { Finding, Found } from './finding.ts';
import { checkRelays } from './relays.ts';
import { checkKeys } from './unused-keys.ts';

const notLocal: Readonly<Record<string, string>> = {
  credentials: 'The local stack has no account and takes any credentials.',
  settings: 'The stage local is never deployed; its placeholders are not used.',
  bootstrap: 'The local stack runs the template without CloudFormation.',
  stacks: 'The local stack runs the template without CloudFormation.',
  mail: 'The embedded mailbox accepts every sender and has no sandbox.',
  concurrency: 'The local stack caps functions by the cores of this machine.',
  throttle: 'The local gateway has no rate limits.',
  subscriptions: 'CloudWatch and SNS have no local part.',
  alarms: 'CloudWatch and SNS have no local part.',
  functions: 'Memory is not measured here; npm start prints an invocation that exceeds its memory or its timeout.',
  domain: 'The local stack has no domain.',
};

/** Examines the stack that runs on this machine, as far as it has the parts. */
export const examineLocal = async (config: StageConfig): Promise<readonly Finding[]> => {
  const home = findHome();
  const { aws, baseUrl, table } = readStackFile(home);
  const { endpoint, region, ...credentials } = aws;
  const access = { endpoint, region, credentials };
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(access));
  const named = (check: string, found: readonly Found[]): Finding[] => found.map((one) => ({ check, ...one }));
  const { used, days } = keysIn(home.logFile);
  return [
    ...Object.entries(notLocal).map(([check, text]) => ({ check, result: 'skipped' as const, text })),
    ...named('dead letters', await checkDeadLetters(new SQSClient(access), config)),
    ...named('relays', await checkRelays(client, table, baseUrl, Date.now())),
    ...named('keys', await checkKeys(client, table, used, days, Date.now())),
  ];
};

/** The ids of the keys in a log file, and the days that it goes back. */
const keysIn = (logFile: string) => {
  const text = existsSync(logFile) ? readFileSync(logFile, 'utf8') : '';
  const since = Date.parse(/"timestamp":"([^"]+)"/.exec(text)?.[1] ?? new Date().toISOString());
  const used = new Set([...text.matchAll(/"key_id":"([0-9a-f]{24})"/g)].map(([, id = '']) => id));
  return { used, days: Math.max(1, Math.ceil((Date.now() - since) / (24 * 60 * 60 * 1000))) };
};
