/** The parts of an AWS account that `ops prove` asks. */
import { CloudWatchClient, DescribeAlarmHistoryCommand, SetAlarmStateCommand } from '@aws-sdk/client-cloudwatch';
import { CloudWatchLogsClient, DescribeQueryDefinitionsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { STSClient } from '@aws-sdk/client-sts';
import * as v from 'valibot';
import { physicalName } from '../../cdk/names.ts';
import type { StageConfig } from '../../cdk/stage.ts';
import { readGateway } from '../doctor/gateway.ts';
import { queryLogs } from '../doctor/insights.ts';
import type { Account } from './question.ts';

const failure = v.object({ errorMessage: v.optional(v.string(), 'an error without a message') });
const gatewayStage = v.object({ methodSettings: v.optional(v.record(v.string(), v.looseObject({})), {}) });

/** How long CloudWatch may take to write what an alarm has done, in ms. */
const historyMs = 15_000;

/** `wait` takes milliseconds. */
export const accountOf = (config: StageConfig, baseUrl: string, wait: (ms: number) => Promise<void>): Account => {
  const settings = { ...(config.region !== null && { region: config.region }), maxAttempts: 4 };
  const logs = new CloudWatchLogsClient(settings);
  return {
    query: (query, hours) => queryLogs(logs, config, query, hours),
    async savedQueries() {
      const queryDefinitionNamePrefix = physicalName(config);
      const { queryDefinitions = [] } = await logs.send(
        new DescribeQueryDefinitionsCommand({ queryDefinitionNamePrefix }),
      );
      return Object.fromEntries(queryDefinitions.map(({ name = '', queryString = '' }) => [name, queryString]));
    },
    async invoke(FunctionName, event) {
      const client = new LambdaClient(settings);
      const { FunctionError, Payload } = await client.send(
        new InvokeCommand({ FunctionName, Payload: JSON.stringify(event) }),
      );
      if (FunctionError === undefined) return undefined;
      return v.parse(failure, JSON.parse(Payload?.transformToString() ?? '{}')).errorMessage;
    },
    async release(AlarmName) {
      const client = new CloudWatchClient(settings);
      const set = (StateValue: 'ALARM' | 'OK') =>
        client.send(new SetAlarmStateCommand({ AlarmName, StateValue, StateReason: 'npm run ops -- prove' }));
      await set('ALARM');
      try {
        await wait(historyMs);
        const { AlarmHistoryItems = [] } = await client.send(
          new DescribeAlarmHistoryCommand({ AlarmName, HistoryItemType: 'Action', MaxRecords: 5 }),
        );
        return AlarmHistoryItems.map(({ HistorySummary = '' }) => HistorySummary);
      } finally {
        await set('OK');
      }
    },
    async methodSettings() {
      const [, api] = /^https:\/\/([a-z0-9]+)\.execute-api\./.exec(baseUrl) ?? [];
      if (api === undefined) return undefined;
      const sts = new STSClient(settings);
      const answer = await readGateway(sts, await sts.config.region(), `/restapis/${api}/stages/${config.name}`);
      return v.parse(gatewayStage, answer).methodSettings;
    },
  };
};
