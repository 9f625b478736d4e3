/** `npm run ops -- doctor`: reads an account and prints what would stop a stage, each with what corrects it. Changes nothing. */

import { Resolver } from 'node:dns/promises';
import { existsSync, readFileSync } from 'node:fs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { StageConfig } from '../../../cdk/stage.ts';
import { command, sections } from '../../command.ts';
import { exitCodes } from '../../exit-codes.ts';
import { findHome, readStackFile } from '../../home.ts';
import { configOf, stageNames, stageOption } from '../stage-of.ts';
import { checkDeadLetters } from './dead-letters.ts';
import type { Finding, Found } from './finding.ts';
import { checkKeys } from './unused-keys.ts';

export const doctor = command('doctor')
  .summary('Reads an account and prints what would stop a stage, each with what corrects it.')
  .description(
    `Reads an account and prints what would stop a stage, each with what corrects it. Changes nothing. The exit code is 1 if something stops the stage.

It reads with the credentials of the AWS profile; AWS's managed policy ReadOnlyAccess is enough. Two queries of the functions' logs cost 0.005 USD for each GB that they read.`,
  )
  .addOption(stageOption(stageNames).makeOptionMandatory())
  .option('--json', 'Print JSON.', false)
  .addHelpText(
    'after',
    sections({
      examples: {
        'Before the first deployment, and whenever something is odd': 'npm run ops -- doctor --stage prod',
        'In a script':
          'npm run -s ops -- doctor --stage prod --json | jq \'.findings[] | select(.result != "passed")\'',
      },
    }),
  )
  .action(async ({ stage, json }) => {
    const config = configOf(stage);
    const findings = stage === 'local' ? await examineLocal(config) : await examineAccount(config);
    const isStopped = findings.some(({ result }) => result === 'stops');
    console.log(json ? JSON.stringify({ stage, stops: isStopped, findings }, null, 2) : textOf(stage, findings));
    if (isStopped) process.exitCode = exitCodes.failed;
  });

const marks = { passed: '✓', warning: '!', stops: '✗', skipped: '–' } as const;

const textOf = (stage: string, findings: readonly Finding[]): string => {
  const width = Math.max(...findings.map(({ check }) => check.length)) + 2;
  const lines = findings.flatMap(({ check, result, text, fix }) => [
    `${marks[result]} ${check.padEnd(width)}${text}`,
    ...(fix === undefined ? [] : [`  ${' '.repeat(width)}→ ${fix}`]),
  ]);
  const count = (result: Finding['result'], one: string, more: string) => {
    const all = findings.filter((finding) => finding.result === result).length;
    return all === 0 ? [] : [`${all} ${all === 1 ? one : more}`];
  };
  const counts = [...count('stops', 'finding stops', 'findings stop'), ...count('warning', 'warning', 'warnings')];
  return [...lines, '', `${stage}: ${counts.join(' the stage, ') || 'nothing stops it'}`].join('\n');
};

/** Imports the clients of ten services only where they are used. */
const examineAccount = async (config: StageConfig): Promise<readonly Finding[]> => {
  const { examine } = await import('./examine.ts');
  return examine(config, new Resolver());
};

/** Parts that the local stack does not have, by check. */
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
const examineLocal = async (config: StageConfig): Promise<readonly Finding[]> => {
  const home = findHome();
  const { aws, table } = readStackFile(home);
  const { endpoint, region, ...credentials } = aws;
  const access = { endpoint, region, credentials };
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(access));
  const named = (check: string, found: readonly Found[]): Finding[] => found.map((one) => ({ check, ...one }));
  const { used, days } = keysIn(home.logFile);
  return [
    ...Object.entries(notLocal).map(([check, text]) => ({ check, result: 'skipped' as const, text })),
    ...named('dead letters', await checkDeadLetters(new SQSClient(access), config)),
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
