/**
 * Brings the items of a table to the format of this release, page by page. It can be stopped at any time: its
 * cursor is saved after each page, and an item that a function changes meanwhile is left to that change.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { format } from '../../../shared/foundation/format.ts';
import { physicalName } from '../../cdk/names.ts';
import type { StageConfig } from '../../cdk/stage.ts';
import { print } from '../../command-line/print.ts';
import { findHome, type Home, readStackFile, writePrivate } from '../../local/home.ts';
import { type StoredItem, stepFrom } from './migrations.ts';

/** Items that are read with one request; a page of them is at most 1 MB (DynamoDB limit). */
const pageSize = 200;
/** Writes at the same time. */
const writesAtATime = 20;

const cursorSchema = v.object({
  table: v.string(),
  format: v.number(),
  after: v.record(v.string(), v.string()),
  read: v.number(),
  changed: v.number(),
});
type Cursor = v.InferOutput<typeof cursorSchema>;

interface Options {
  readonly isDryRun: boolean;
  readonly rate: number;
}

/** @throws Error of DynamoDB, after what was done so far is printed */
export const migrateStage = async (config: StageConfig, { isDryRun, rate }: Options): Promise<void> => {
  const home = findHome();
  const { client, table } = tableOf(config, home);
  const file = join(home.folder, `migrate-${config.name}.json`);
  const saved = isDryRun ? undefined : readCursor(file, table);
  if (saved !== undefined) print(`Continues a run that was stopped: ${saved.read} items read so far.`);
  let { read, changed } = saved ?? { read: 0, changed: 0 };
  let after = saved?.after;
  let skipped = 0;
  const { Table } = await client.send(new DescribeTableCommand({ TableName: table }));
  // DynamoDB counts every six hours.
  const about = Table?.ItemCount ?? 0;
  do {
    const began = performance.now();
    const page = await client.send(
      new ScanCommand({ TableName: table, Limit: pageSize, ConsistentRead: true, ExclusiveStartKey: after }),
    );
    const items = page.Items ?? [];
    const old = items.filter((item) => formatOf(item) < format);
    read += items.length;
    if (isDryRun) changed += old.length;
    else {
      const written = await changeAll(client, table, old);
      changed += written;
      skipped += old.length - written;
    }
    after = page.LastEvaluatedKey as Cursor['after'] | undefined;
    if (!isDryRun && after !== undefined)
      writePrivate(home, file, { table, format, after, read, changed } satisfies Cursor);
    if (old.length > 0) print(progress({ read, about, changed, isDryRun }));
    if (!isDryRun) await setTimeout(Math.max(0, (old.length / rate) * 1000 - (performance.now() - began)));
  } while (after !== undefined);
  if (!isDryRun) rmSync(file, { force: true });
  const left = skipped === 0 ? '' : ` ${skipped} were changed or deleted by functions meanwhile: run it again.`;
  print(
    isDryRun
      ? `${config.name}: ${changed} of ${read} items have an older format than ${format}. Nothing was changed.`
      : `${config.name}: ${read} items read, ${changed} changed to format ${format}.${left}`,
  );
};

const tableOf = (config: StageConfig, home: Home): { client: DynamoDBDocumentClient; table: string } => {
  const { name, region } = config;
  if (name !== 'local') {
    const client = new DynamoDBClient({ ...(region !== null && { region }), maxAttempts: 6 });
    return { client: DynamoDBDocumentClient.from(client), table: config.tableName ?? physicalName(config) };
  }
  const { aws, table } = readStackFile(home);
  const { endpoint, region: localRegion, ...credentials } = aws;
  const client = new DynamoDBClient({ endpoint, region: localRegion, credentials });
  return { client: DynamoDBDocumentClient.from(client), table };
};

/** Returns the cursor of a run for this table and format; others are of no use any more. */
const readCursor = (file: string, table: string): Cursor | undefined => {
  if (!existsSync(file)) return undefined;
  const cursor = v.parse(cursorSchema, JSON.parse(readFileSync(file, 'utf8')));
  return cursor.table === table && cursor.format === format ? cursor : undefined;
};

const formatOf = ({ format: found }: StoredItem): number => (typeof found === 'number' ? found : 0);

/** Changes items, and returns how many had not been changed or deleted since they were read. */
const changeAll = async (
  client: DynamoDBDocumentClient,
  table: string,
  items: readonly StoredItem[],
): Promise<number> => {
  let changed = 0;
  for (let start = 0; start < items.length; start += writesAtATime) {
    const written = await Promise.all(
      items.slice(start, start + writesAtATime).map((item) => changeItem(client, table, item)),
    );
    changed += written.filter(Boolean).length;
  }
  return changed;
};

const changeItem = async (client: DynamoDBDocumentClient, TableName: string, item: StoredItem): Promise<boolean> => {
  const found = formatOf(item);
  const { set, remove, reads } = stepFrom(found, item);
  const after = Object.entries({ ...set, format: found + 1 });
  // An item is changed only as it was read: its format, and all attributes that the step was made of.
  const before = ['pk', 'format', ...reads].map((name) => [name, item[name]] as const);
  const conditions = before.map(([name, value]) =>
    value === undefined ? `attribute_not_exists(#${name})` : `#${name} = :before_${name}`,
  );
  const removal = remove.length === 0 ? '' : ` REMOVE ${remove.map((name) => `#${name}`).join(', ')}`;
  const names = [...after, ...before].map(([name]) => name).concat(remove);
  try {
    await client.send(
      new UpdateCommand({
        TableName,
        Key: { pk: item.pk, sk: item.sk },
        UpdateExpression: `SET ${after.map(([name]) => `#${name} = :${name}`).join(', ')}${removal}`,
        ConditionExpression: conditions.join(' AND '),
        ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
        ExpressionAttributeValues: Object.fromEntries([
          ...after.map(([name, value]) => [`:${name}`, value]),
          ...before.flatMap(([name, value]) => (value === undefined ? [] : [[`:before_${name}`, value]])),
        ]),
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return false;
    throw error;
  }
};

const progress = (run: { read: number; about: number; changed: number; isDryRun: boolean }): string => {
  const share = run.about === 0 ? '' : ` of about ${Math.max(run.about, run.read)}`;
  return `${run.read}${share} items read, ${run.changed} ${run.isDryRun ? 'to change' : 'changed'}`;
};
