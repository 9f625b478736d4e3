/**
 * `npm run ops -- restore`, on the embedded DynamoDB. It has no point-in-time recovery: a proxy answers those calls as
 * AWS does, and fills the restored table with what the test says the table had.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  BatchWriteItemCommand,
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  ListTablesCommand,
  ScanCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { startDynoxide } from '../../infra/emulator/parts/dynoxide.ts';
import { type Answer, jsonError, type Step } from '../../infra/emulator/proxy/call.ts';
import { forwardTo } from '../../infra/emulator/proxy/forward.ts';
import { startProxy } from '../../infra/emulator/proxy/proxy.ts';
import { temporaryHome } from '../support/parts-running-stack.ts';
import { region, tableDefinition } from '../support/parts-schema.ts';
import { runScript } from '../support/run-script.ts';

type Item = Readonly<Record<string, string | number>>;

const part = await startDynoxide();
const toTable = forwardTo(part.url);
const direct = new DynamoDBClient({
  endpoint: part.url,
  region,
  credentials: { accessKeyId: 'a', secretAccessKey: 'a' },
});
const home = temporaryHome();

/** What point-in-time recovery has of the table, and what was called. */
let past: readonly Item[];
let calls: { readonly action: string; readonly input: Readonly<Record<string, unknown>> }[];
let withRecovery: Set<string>;
let between: Step | undefined;

const answered = (body: object): Answer => ({
  status: 200,
  headers: { 'content-type': 'application/x-amz-json-1.0' },
  body: Buffer.from(JSON.stringify(body)),
});
const window = { earliest: Date.parse('2026-10-20T00:00:00Z'), latest: Date.parse('2026-11-22T09:55:00Z') };

const recovery: Step = async (call, next) => {
  const input = Object(call.input);
  calls.push({ action: call.action, input });
  const name = String(input.TableName);
  switch (call.action) {
    case 'DescribeContinuousBackups':
      return answered({
        ContinuousBackupsDescription: {
          ContinuousBackupsStatus: 'ENABLED',
          PointInTimeRecoveryDescription: withRecovery.has(name)
            ? {
                PointInTimeRecoveryStatus: 'ENABLED',
                EarliestRestorableDateTime: window.earliest / 1000,
                LatestRestorableDateTime: window.latest / 1000,
              }
            : { PointInTimeRecoveryStatus: 'DISABLED' },
        },
      });
    case 'UpdateTable':
      return answered({});
    case 'UpdateContinuousBackups':
      withRecovery.add(name);
      return answered({});
    case 'RestoreTableToPointInTime': {
      const target = String(input.TargetTableName);
      if (!withRecovery.has(String(input.SourceTableName)))
        return jsonError(
          400,
          'com.amazonaws.dynamodb.v20120810#PointInTimeRecoveryUnavailableException',
          'not enabled',
        );
      await create(target, past);
      return answered({ TableDescription: { TableName: target, TableStatus: 'CREATING' } });
    }
    default:
      return between === undefined ? next(call) : between(call, next);
  }
};
const none = () => Promise.reject(new Error('not called'));
const proxy = await startProxy({ dynamodb: toTable.forward, sqs: none, ses: none }, [recovery]);

const create = async (name: string, items: readonly Item[]) => {
  await direct.send(new CreateTableCommand(tableDefinition(name)));
  for (let at = 0; at < items.length; at += 25)
    await direct.send(
      new BatchWriteItemCommand({
        RequestItems: { [name]: items.slice(at, at + 25).map((item) => ({ PutRequest: { Item: marshalled(item) } })) },
      }),
    );
};
const marshalled = (item: Item) =>
  Object.fromEntries(
    Object.entries(item).map(([name, value]) => [
      name,
      typeof value === 'number' ? { N: String(value) } : { S: value },
    ]),
  );
const contentOf = async (TableName: string) => {
  const { Items = [] } = await direct.send(new ScanCommand({ TableName, ConsistentRead: true }));
  return new Map(Items.map(({ pk, text }) => [pk?.S ?? '', text?.S]));
};
const itemsOf = (beginning: string, count: number, fields: Item = {}): Item[] =>
  Array.from({ length: count }, (_, index) => ({ pk: `${beginning}${index}`, sk: 'A', text: 'then', ...fields }));

const present = async (stage: string, items: readonly Item[]) => {
  await create(`masthead-${stage}`, items);
  withRecovery.add(`masthead-${stage}`);
  await direct.send(
    new UpdateTimeToLiveCommand({
      TableName: `masthead-${stage}`,
      TimeToLiveSpecification: { AttributeName: 'expires_at', Enabled: true },
    }),
  );
};

beforeEach(async () => {
  const { TableNames = [] } = await direct.send(new ListTablesCommand());
  for (const TableName of TableNames) await direct.send(new DeleteTableCommand({ TableName }));
  past = [];
  calls = [];
  withRecovery = new Set();
  between = undefined;
});
afterAll(async () => {
  await proxy.stop();
  await toTable.close();
  await part.stop();
  home.remove();
});

const environment = {
  AWS_ENDPOINT_URL_DYNAMODB: proxy.origin,
  AWS_ACCESS_KEY_ID: 'ops',
  AWS_SECRET_ACCESS_KEY: 'ops',
  MASTHEAD_HOME: home.folder,
};
const at = ['--at', '2026-11-22T09:30:00Z'];
const restored = 'masthead-dev-restored-2026-11-22T093000';
const restore = (...args: string[]) => runScript('infra/ops/ops.ts', ['restore', ...args], environment);
const writes = () =>
  calls.filter(({ action }) => /^(Put|Update|Restore|Delete|Batch[WP])/.test(action)).map(({ action }) => action);

describe('copying back', () => {
  it('restores lost items, changes no existing ones, and verifies the result', async () => {
    past = [...itemsOf('WEBHOOK#', 230), ...itemsOf('EVENT#', 20), { pk: 'STAFF', sk: 'STAFF#1', text: 'then' }];
    await present('dev', [
      ...itemsOf('WEBHOOK#', 200, { text: 'now' }),
      ...itemsOf('EVENT#', 20, { text: 'now' }),
      { pk: 'WEBHOOK#new', sk: 'A', text: 'now' },
    ]);
    const { code, output } = await restore('--stage', 'dev', ...at, '--all');
    expect(output).toBe(
      `${restored} has the content of 2026-11-22T09:30:00.000Z.
251 items compared, 31 copied back (STAFF 1, WEBHOOK# 30).
251 items of ${restored} compared: masthead-dev lacks 0.
masthead-dev: protected as before.
Then, by hand: aws dynamodb delete-table --table-name ${restored}
`,
    );
    expect(code).toBe(0);
    const content = await contentOf('masthead-dev');
    expect(content.size).toBe(252);
    expect([content.get('WEBHOOK#199'), content.get('WEBHOOK#229'), content.get('STAFF')]).toEqual([
      'now',
      'then',
      'then',
    ]);
    expect(calls.find(({ action }) => action === 'RestoreTableToPointInTime')?.input).toEqual({
      SourceTableName: 'masthead-dev',
      TargetTableName: restored,
      RestoreDateTime: Date.parse('2026-11-22T09:30:00Z') / 1000,
    });
    expect(existsSync(join(home.folder, 'restore-dev.json'))).toBe(false);
  });

  it('restores only the chosen partitions, so that a deleted key stays deleted', async () => {
    past = [...itemsOf('WEBHOOK#', 5), ...itemsOf('KEY#', 5), ...itemsOf('EVENT#', 5)];
    await present('dev', []);
    const { code, output } = await restore('--stage', 'dev', ...at, '--only', 'WEBHOOK#,EVENT#');
    expect(output).toContain('10 items compared, 10 copied back');
    expect(code).toBe(0);
    const beginnings = new Set([...(await contentOf('masthead-dev')).keys()].map((pk) => pk.replace(/\d+$/, '')));
    expect(beginnings).toEqual(new Set(['WEBHOOK#', 'EVENT#']));
  });

  it('does not restore expired items, which time to live deletes', async () => {
    past = [
      ...itemsOf('EVENT#', 3, { expires_at: 1_700_000_000 }),
      ...itemsOf('WEBHOOK#', 1, { expires_at: 4_000_000_000 }),
    ];
    await present('dev', []);
    expect((await restore('--stage', 'dev', ...at, '--all')).output).toContain(
      '1 items compared, 1 copied back (WEBHOOK# 1)',
    );
  });

  it('resumes at the page where it was killed', async () => {
    past = itemsOf('WEBHOOK#', 450);
    await present('dev', []);
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', 'infra/ops/ops.ts', 'restore', '--stage', 'dev', ...at, '--all'],
      { cwd: join(import.meta.dirname, '../..'), env: { ...process.env, ...environment } },
    );
    let scans = 0;
    between = (call, next) => {
      if (call.action === 'Scan' && ++scans === 4) child.kill('SIGKILL');
      return next(call);
    };
    await once(child, 'exit');
    const before = (await contentOf('masthead-dev')).size;
    expect(before).toBeGreaterThanOrEqual(300);
    expect(before).toBeLessThan(450);
    scans = 0;
    calls = [];
    const { code, output } = await restore('--stage', 'dev', ...at, '--all');
    expect(output).toContain('Continues at the step copy.');
    expect(output).toContain('450 items compared, 450 copied back (WEBHOOK# 450)');
    expect(code).toBe(0);
    expect((await contentOf('masthead-dev')).size).toBe(450);
    expect(calls.filter(({ action }) => action === 'RestoreTableToPointInTime')).toEqual([]);
    // Two pages of the copy remain, the verification reads all five, and each scan may end with an empty page.
    expect(calls.filter(({ action }) => action === 'Scan').length).toBeLessThanOrEqual(8);
  });
});

describe('switching over', () => {
  it('counts what was written since the restore point, and protects the restored table like the original', async () => {
    past = itemsOf('WEBHOOK#', 3);
    await present('prod', [...itemsOf('WEBHOOK#', 3), ...itemsOf('EVENT#', 2)]);
    const { code, output } = await restore('--stage', 'prod', ...at, '--switch');
    const target = 'masthead-prod-restored-2026-11-22T093000';
    expect(output).toContain(`5 items of masthead-prod compared: ${target} lacks 2 (EVENT# 2).`);
    expect(output).toContain(
      `${target}: enabled time to live on expires_at, point-in-time recovery, deletion protection.`,
    );
    expect(output).toContain(
      `Then, by hand: set tableName: '${target}' for prod in infra/cdk/stages.ts, and npm run cdk -- deploy 'prod/*'`,
    );
    expect(code).toBe(0);
    const { TimeToLiveDescription } = await direct.send(new DescribeTimeToLiveCommand({ TableName: target }));
    expect(TimeToLiveDescription?.AttributeName).toBe('expires_at');
    expect(withRecovery).toContain(target);
    expect(calls.find(({ action }) => action === 'UpdateTable')?.input).toEqual({
      TableName: target,
      DeletionProtectionEnabled: true,
    });
  });
});

describe('before anything is restored', () => {
  it('prints the steps with --dry-run, and changes nothing', async () => {
    await present('dev', itemsOf('WEBHOOK#', 1));
    calls = [];
    const { code, output } = await restore('--stage', 'dev', ...at, '--only', 'WEBHOOK#', '--dry-run');
    expect(output).toBe(
      `1. Restore masthead-dev at 2026-11-22T09:30:00.000Z to the new table ${restored}, and wait until it is active.
2. Copy the items of ${restored} in WEBHOOK# that masthead-dev lacks to masthead-dev.
3. Verify that masthead-dev has every one of them.
4. Check time to live, point-in-time recovery of masthead-dev.
5. Then, by hand: aws dynamodb delete-table --table-name ${restored}
`,
    );
    expect(code).toBe(0);
    expect(writes()).toEqual([]);
    expect(existsSync(join(home.folder, 'restore-dev.json'))).toBe(false);
  });

  it.each([
    [['--at', 'yesterday', '--all'], "--at is 'yesterday'; it must be a time with its zone", 2],
    [['--at', '2026-11-22T09:30:00', '--all'], 'it must be a time with its zone', 2],
    [at, 'One of --only, --all and --switch is needed.', 2],
    [[...at, '--all', '--switch'], '--all cannot be used with --switch.', 2],
    [
      ['--at', '2026-09-01T00:00:00Z', '--all'],
      'masthead-dev can be restored from 2026-10-20T00:00:00.000Z to 2026-11-22T09:55:00.000Z',
      1,
    ],
  ])('refuses %j', async (args, words, code) => {
    await present('dev', []);
    expect(await restore('--stage', 'dev', ...args)).toEqual({ code, output: expect.stringContaining(words) });
    expect(writes().filter((action) => action !== 'UpdateTimeToLive')).toEqual([]);
  });

  it('refuses a table without point-in-time recovery', async () => {
    await create('masthead-dev', []);
    const { output } = await restore('--stage', 'dev', ...at, '--all');
    expect(output).toContain('masthead-dev has no point-in-time recovery.');
  });
});
