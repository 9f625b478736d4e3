/** `npm run ops -- migrate`, on an embedded table behind an edge that fails as DynamoDB does. */
import { CreateTableCommand, DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DynamoDBDocumentClient, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { jsonError, type Step } from '../../infra/emulator/edge/call.ts';
import { startEdge } from '../../infra/emulator/edge/edge.ts';
import { forwardTo } from '../../infra/emulator/edge/forward.ts';
import { startDynoxide } from '../../infra/emulator/parts/dynoxide.ts';
import { format } from '../../shared/foundation/format.ts';
import { temporaryHome } from '../support/parts-running-stack.ts';
import { region, tableDefinition } from '../support/parts-schema.ts';
import { runScript } from '../support/run-script.ts';

const TableName = 'masthead-dev';
const home = temporaryHome();
const part = await startDynoxide();
const forward = forwardTo(part.url);
/** Handles the command's calls in one test. */
let between: Step | undefined;
const none = () => Promise.reject(new Error('not part of this test'));
const edge = await startEdge({ dynamodb: forward.forward, sqs: none, ses: none }, [
  (call, next) => (between === undefined ? next(call) : between(call, next)),
]);
const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
const table = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint: part.url, region, credentials }));

const keyOf = (n: number) => ({ pk: 'STAFF', sk: `STAFF#${n}` });
/** Three pages of what the release before formats wrote, and one item of this release. */
const oldItems = 450;
beforeEach(async () => {
  between = undefined;
  await table.send(new DeleteTableCommand({ TableName })).catch(() => {});
  await table.send(new CreateTableCommand(tableDefinition(TableName)));
  const items = Array.from({ length: oldItems }, (_, n) => ({ ...keyOf(n), name: `Ada ${n}` }));
  for (let start = 0; start < items.length; start += 25)
    await table.send(
      new BatchWriteCommand({
        RequestItems: { [TableName]: items.slice(start, start + 25).map((Item) => ({ PutRequest: { Item } })) },
      }),
    );
  await table.send(new PutCommand({ TableName, Item: { pk: 'ROLES', sk: 'ROLE#1', format } }));
});
afterAll(async () => {
  await edge.stop();
  await forward.close();
  await part.stop();
  home.remove();
});

const migrate = (...args: string[]) =>
  runScript('infra/ops/ops.ts', ['migrate', '--stage', 'dev', '--rate', '100000', ...args], {
    AWS_ENDPOINT_URL_DYNAMODB: edge.origin,
    AWS_ACCESS_KEY_ID: 'ops',
    AWS_SECRET_ACCESS_KEY: 'ops',
    MASTHEAD_HOME: home.folder,
  });
const items = async () => (await table.send(new ScanCommand({ TableName }))).Items ?? [];
const withFormat = async () => (await items()).filter((item) => item.format === format).length;

describe('migrate', () => {
  it('writes the format onto the items that lack it, leaves all else, and reports its progress', async () => {
    const { code, output } = await migrate();
    expect(code).toBe(0);
    expect(output).toMatch(/^200 of about \d+ items read, (199|200) changed\n/);
    expect(output).toContain(`dev: 451 items read, 450 changed to format ${format}.\n`);
    expect((await items()).find(({ sk }) => sk === 'STAFF#7')).toEqual({
      ...keyOf(7),
      name: 'Ada 7',
      format,
    });
    expect(await withFormat()).toBe(oldItems + 1);
    expect((await migrate()).output).toBe(`dev: 451 items read, 0 changed to format ${format}.\n`);
  });

  it('counts with --dry-run, and changes nothing', async () => {
    const { code, output } = await migrate('--dry-run');
    expect(code).toBe(0);
    expect(output).toContain(`dev: 450 of 451 items have an older format than ${format}. Nothing was changed.\n`);
    expect(await withFormat()).toBe(1);
  });

  it('continues behind its last page after it was stopped', async () => {
    let scans = 0;
    between = async (call, next) => {
      if (call.action === 'Scan' && ++scans === 2)
        return jsonError(400, 'com.amazonaws.dynamodb.v20120810#AccessDeniedException', 'no more');
      return next(call);
    };
    const stopped = await migrate();
    expect(stopped.code).toBe(1);
    expect(stopped.output).toMatch(/no more\n$/);
    const before = await withFormat();
    expect(before).toBeLessThan(oldItems);
    scans = 2;
    const { code, output } = await migrate();
    expect(code).toBe(0);
    expect(output).toMatch(/^Continues a run that was stopped: 200 items read so far\.\n/);
    expect(output).toContain(`dev: 451 items read, 450 changed to format ${format}.\n`);
    // Two pages more, and not all three.
    expect(scans).toBe(4);
  });

  it('leaves an item that a function has changed meanwhile, and reports it', async () => {
    between = async (call, next) => {
      const { Key } = call.input as { Key?: { sk: { S: string } } };
      if (call.action === 'UpdateItem' && Key?.sk.S === 'STAFF#7')
        await table.send(new PutCommand({ TableName, Item: { ...keyOf(7), name: 'New', format } }));
      return next(call);
    };
    const { output } = await migrate();
    expect(output).toContain('1 were changed or deleted by functions meanwhile');
    expect((await items()).find(({ sk }) => sk === 'STAFF#7')?.name).toBe('New');
  });

  it.each([
    [['--rate', '0'], "--rate is '0'; it must be a whole number, at least 1. Run with --help for usage."],
    [['--rate', 'fast'], "--rate is 'fast'; it must be a whole number, at least 1. Run with --help for usage."],
  ])('refuses %j', async (args, sentence) => {
    expect(await migrate(...args)).toEqual({ code: 2, output: `${sentence}\n` });
  });
});
