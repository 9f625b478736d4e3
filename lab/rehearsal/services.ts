/** What the services themselves report of the stage, beside CloudFormation. */
import { CloudWatchLogsClient, paginateDescribeLogGroups } from '@aws-sdk/client-cloudwatch-logs';
import {
  BatchWriteItemCommand,
  DeleteItemCommand,
  DeleteTableCommand,
  DescribeContinuousBackupsCommand,
  DynamoDBClient,
  paginateListTables,
  UpdateContinuousBackupsCommand,
} from '@aws-sdk/client-dynamodb';
import { LambdaClient, paginateListFunctions } from '@aws-sdk/client-lambda';
import { paginateListQueues, SQSClient } from '@aws-sdk/client-sqs';
import { region } from './stage.ts';

/** Returns the settings of a client that reaches the rehearsal. */
export const accessAt = (endpoint: string) => ({
  endpoint,
  region,
  credentials: { accessKeyId: 'rehearsal', secretAccessKey: 'rehearsal' },
});

type Access = ReturnType<typeof accessAt>;

/** Returns what differs: functions that are missing, that should be, and whose environment lacks a text. */
export const wrongFunctions = async (access: Access, expected: readonly string[], text: string): Promise<string[]> => {
  const found = new Map<string | undefined, string>();
  // It belongs to no line of the contract, and moto does not run it.
  for await (const { Functions = [] } of paginateListFunctions({ client: new LambdaClient(access) }, {}))
    for (const { FunctionName, Environment } of Functions)
      if (!FunctionName?.endsWith('-check-release')) found.set(FunctionName, JSON.stringify(Environment));
  const missing = expected.filter((name) => !found.has(name)).map((name) => `${name} is missing`);
  const wrong = [...found].flatMap(([name = '', environment]) => {
    if (!expected.includes(name)) return [`${name} exists`];
    return environment.includes(text) ? [] : [`${name} lacks "${text}"`];
  });
  return [...missing, ...wrong];
};

/** Returns the names of the functions, tables, queues and log groups that exist. */
export const existing = async (access: Access): Promise<string[]> => {
  const names: (string | undefined)[] = [];
  for await (const { Functions = [] } of paginateListFunctions({ client: new LambdaClient(access) }, {}))
    names.push(...Functions.map(({ FunctionName }) => FunctionName));
  for await (const { TableNames = [] } of paginateListTables({ client: new DynamoDBClient(access) }, {}))
    names.push(...TableNames);
  for await (const { QueueUrls = [] } of paginateListQueues({ client: new SQSClient(access) }, {}))
    names.push(...QueueUrls);
  for await (const { logGroups = [] } of paginateDescribeLogGroups({ client: new CloudWatchLogsClient(access) }, {}))
    names.push(...logGroups.map(({ logGroupName }) => logGroupName));
  return names.flatMap((name) => name ?? []);
};

const key = (id: number) => ({ pk: { S: `WEBHOOK#${id}` }, sk: { S: 'WEBHOOK' } });

/** Writes three items, enables recovery, which moto's CloudFormation does not, and returns the only restorable time. */
export const fillTable = async (access: Access, TableName: string): Promise<string> => {
  const client = new DynamoDBClient(access);
  const items = [1, 2, 3].map((id) => ({ PutRequest: { Item: key(id) } }));
  await client.send(new BatchWriteItemCommand({ RequestItems: { [TableName]: items } }));
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
  await client.send(new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification }));
  const { ContinuousBackupsDescription } = await client.send(new DescribeContinuousBackupsCommand({ TableName }));
  const latest = ContinuousBackupsDescription?.PointInTimeRecoveryDescription?.LatestRestorableDateTime;
  if (latest === undefined) throw new Error('moto did not enable point-in-time recovery.');
  return latest.toISOString();
};

/** Deletes one of the three items. */
export const loseItem = async (access: Access, TableName: string): Promise<void> => {
  await new DynamoDBClient(access).send(new DeleteItemCommand({ TableName, Key: key(2) }));
};

/** Deletes the restored table, as the operator does in the end. */
export const deleteRestored = async (access: Access): Promise<void> => {
  for (const TableName of (await existing(access)).filter((name) => /-restored-/.test(name)))
    await new DynamoDBClient(access).send(new DeleteTableCommand({ TableName }));
};
