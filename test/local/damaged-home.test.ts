/** A stop leaves a local stack's data complete in its files, and a start on damaged files says so and loses nothing. */
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateTableCommand, DynamoDBClient, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { startDynoxide } from '../../infra/emulator/parts/dynoxide.ts';
import { startFauxqs } from '../../infra/emulator/parts/fauxqs.ts';
import { startSes } from '../../infra/emulator/parts/ses.ts';

const TableName = 'test';
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'masthead-data-'));
  return () => rmSync(folder, { recursive: true });
});
const table = () => join(folder, 'table.db');

const started = async () => {
  const part = await startDynoxide({ file: table() });
  const client = new DynamoDBClient({
    endpoint: part.url,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  onTestFinished(() => client.destroy());
  return { client, stop: part.stop };
};
const given = async () => {
  const { client, stop } = await started();
  const key = { AttributeName: 'pk', KeyType: 'HASH' } as const;
  const AttributeDefinitions = [{ AttributeName: 'pk', AttributeType: 'S' }] as const;
  await client.send(
    new CreateTableCommand({
      TableName,
      KeySchema: [key],
      AttributeDefinitions: [...AttributeDefinitions],
      BillingMode: 'PAY_PER_REQUEST',
    }),
  );
  await client.send(new PutItemCommand({ TableName, Item: { pk: { S: 'one' } } }));
  await stop();
};
const overwrite = (file: string, bytes: number) => writeSync(openSync(file, 'r+'), Buffer.alloc(bytes, 0xab));

it('a stop leaves no write-ahead log, and the next start has everything', async () => {
  await given();
  expect(existsSync(`${table()}-wal`)).toBe(false);
  const { client, stop } = await started();
  expect((await client.send(new ScanCommand({ TableName }))).Count).toBe(1);
  await stop();
});

it('a start on a damaged table names the file and --fresh', async () => {
  await given();
  overwrite(table(), 4096);
  await expect(started()).rejects.toThrow(`${table()} is damaged`);
  await expect(started()).rejects.toThrow('--fresh');
});

it('a start on a damaged write-ahead log names the log, because SQLite would ignore it with all its data', async () => {
  await given();
  writeFileSync(`${table()}-wal`, Buffer.alloc(8192, 0xab));
  await expect(started()).rejects.toThrow(`${table()}-wal is damaged`);
});

it('a start on damaged queues names their file', async () => {
  await startFauxqs({ folder }).stop();
  overwrite(join(folder, 'fauxqs.db'), 4096);
  expect(() => startFauxqs({ folder })).toThrow(`${join(folder, 'fauxqs.db')} is damaged`);
});

it('a start on damaged mails names their file, but only drops a mail that a kill has cut off', async () => {
  const file = join(folder, 'mails.jsonl');
  writeFileSync(file, '{"subject":"One"}\n{"subj');
  await (await startSes({ file })).stop();
  expect(readFileSync(file, 'utf8')).toBe('{"subject":"One"}\n');
  writeFileSync(file, '{"subject":"One"}\n\u0000\u0001\n');
  await expect(startSes({ file })).rejects.toThrow(`${file} is damaged (line 2 is no mail)`);
});
