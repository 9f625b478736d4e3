/** Runs a query of CloudWatch Logs Insights over the logs of a stage's functions. */
import { setTimeout as wait } from 'node:timers/promises';
import { type CloudWatchLogsClient, GetQueryResultsCommand, StartQueryCommand } from '@aws-sdk/client-cloudwatch-logs';
import { contract } from '../../../shared/contract.ts';
import { logGroupName } from '../../cdk/names.ts';
import type { StageConfig } from '../../cdk/stage.ts';

/** Log groups that one query may name: https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_StartQuery.html */
const maxGroups = 50;
const pollMs = 500;
const maxPolls = 120;

/** Returns the rows of a query, by field, over the last `hours`. @throws Error if it fails or takes more than a minute */
export const queryLogs = async (
  client: CloudWatchLogsClient,
  config: StageConfig,
  queryString: string,
  hours: number,
): Promise<readonly Readonly<Record<string, string>>[]> => {
  const groups = contract.map((line) => logGroupName(config, line.function));
  const rows: Record<string, string>[] = [];
  for (let at = 0; at < groups.length; at += maxGroups)
    rows.push(...(await run(client, groups.slice(at, at + maxGroups), queryString, hours)));
  return rows;
};

const run = async (client: CloudWatchLogsClient, logGroupNames: string[], queryString: string, hours: number) => {
  const endTime = Math.floor(Date.now() / 1000);
  const startTime = endTime - hours * 3600;
  const { queryId } = await client.send(new StartQueryCommand({ logGroupNames, queryString, startTime, endTime }));
  for (let poll = 0; poll < maxPolls; poll++) {
    const { status, results = [] } = await client.send(new GetQueryResultsCommand({ queryId }));
    if (status === 'Complete')
      return results.map((fields) => Object.fromEntries(fields.map(({ field = '', value = '' }) => [field, value])));
    if (status !== 'Running' && status !== 'Scheduled') throw new Error(`The query of the logs ended as ${status}.`);
    await wait(pollMs);
  }
  throw new Error('The query of the logs took more than a minute.');
};
