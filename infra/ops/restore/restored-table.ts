/** The table beside the stage's own: restored to a second, awaited, and protected like that of the stack `data`. */
import { setTimeout as wait } from 'node:timers/promises';
import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  ResourceNotFoundException,
  RestoreTableToPointInTimeCommand,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';

const pollMs = 10_000;
/** The attribute of `infra/cdk/stacks/data.ts`. */
const ttlAttribute = 'expires_at';

/** Returns the first and last second to which a table can be restored. @throws Error without point-in-time recovery */
export const restorableWindow = async (client: DynamoDBClient, TableName: string) => {
  const { ContinuousBackupsDescription } = await client.send(new DescribeContinuousBackupsCommand({ TableName }));
  const { EarliestRestorableDateTime: earliest, LatestRestorableDateTime: latest } =
    ContinuousBackupsDescription?.PointInTimeRecoveryDescription ?? {};
  if (earliest === undefined || latest === undefined)
    throw new Error(`${TableName} has no point-in-time recovery. AWS Backup or an export may have a copy.`);
  return { earliest, latest };
};

/** Restores a table next to the source, unless it already exists, and waits until it can be read: minutes to hours. */
export const restoreBeside = async (
  client: DynamoDBClient,
  { source, target, at }: { readonly source: string; readonly target: string; readonly at: Date },
  onWait: (status: string) => void,
): Promise<void> => {
  if ((await statusOf(client, target)) === undefined)
    await client.send(
      new RestoreTableToPointInTimeCommand({ SourceTableName: source, TargetTableName: target, RestoreDateTime: at }),
    );
  for (let status = await statusOf(client, target); status !== 'ACTIVE'; status = await statusOf(client, target)) {
    onWait(status ?? 'not visible yet');
    await wait(pollMs);
  }
};

const statusOf = async (client: DynamoDBClient, TableName: string): Promise<string | undefined> => {
  try {
    return (await client.send(new DescribeTableCommand({ TableName }))).Table?.TableStatus;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
};

/** Enables what a restored table lacks: time to live, point-in-time recovery and, if set, deletion protection. */
export const protect = async (
  client: DynamoDBClient,
  TableName: string,
  retain: boolean,
): Promise<readonly string[]> => {
  const done: string[] = [];
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName }));
  if (!/^ENABL/.test(TimeToLiveDescription?.TimeToLiveStatus ?? '')) {
    const TimeToLiveSpecification = { AttributeName: ttlAttribute, Enabled: true };
    await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
    done.push(`time to live on ${ttlAttribute}`);
  }
  const { ContinuousBackupsDescription } = await client.send(new DescribeContinuousBackupsCommand({ TableName }));
  if (ContinuousBackupsDescription?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus !== 'ENABLED') {
    const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
    await client.send(new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification }));
    done.push('point-in-time recovery');
  }
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  if (retain && Table?.DeletionProtectionEnabled !== true) {
    await client.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: true }));
    done.push('deletion protection');
  }
  return done;
};
