/** Runs a query of CloudWatch Logs Insights over the logs of a stage's functions. */
import { setTimeout as wait } from 'node:timers/promises';
import { type CloudWatchLogsClient, GetQueryResultsCommand, StartQueryCommand } from '@aws-sdk/client-cloudwatch-logs';
import { functionGroups } from '../../cdk/function-groups.ts';
import { logGroupName } from '../../cdk/names.ts';
import type { StageConfig } from '../../cdk/stage.ts';

const pollMs = 500;
const maxPolls = 120;

/** Returns a query's rows, by field, over the last `hours`. @throws Error if it fails or takes more than a minute */
export const queryLogs = async (
  client: CloudWatchLogsClient,
  config: StageConfig,
  queryString: string,
  hours: number,
): Promise<readonly Readonly<Record<string, string>>[]> => {
  const logGroupNames = functionGroups.map((group) => logGroupName(config, group));
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
