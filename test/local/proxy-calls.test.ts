/** AWS calls of a worker reach the proxy as messages instead of HTTP, and the SDK sees no difference. */
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { type Pool, startPool } from '../../infra/emulator/lambda/pool.ts';
import { listen } from '../../infra/emulator/loopback.ts';
import { type Answer, type Call, NoAnswer, type Step } from '../../infra/emulator/proxy/call.ts';
import { startProxy } from '../../infra/emulator/proxy/proxy.ts';
import { temporaryHome } from '../support/parts-running-stack.ts';

const home = temporaryHome();
let pool: Pool | undefined;
afterEach(() => pool?.stop());
afterAll(() => home.remove());

const sdk = import.meta.resolve('@aws-sdk/client-dynamodb');
/** Puts the text of its event into a table with the SDK, and returns the answer or the error. */
const putting = `
  import { DynamoDBClient, PutItemCommand } from '${sdk}';
  const client = new DynamoDBClient({ maxAttempts: 2, requestHandler: { requestTimeout: 50, throwOnRequestTimeout: true } });
  export const handler = async ({ text }) => {
    try {
      const command = new PutItemCommand({ TableName: 'table', Item: { text: { S: text } }, ReturnValues: 'ALL_OLD' });
      const { Attributes, $metadata } = await client.send(command);
      return { text: Attributes.text.S, attempts: $metadata.attempts };
    } catch ({ name, message, $metadata }) {
      return { name, message, attempts: $metadata?.attempts };
    }
  };`;

let bundles = 0;
/** Starts a proxy that cannot be reached over HTTP. */
const proxyWith = async (step: Step) => {
  const notCalled = () => Promise.reject(new Error('not called'));
  const proxy = await startProxy({ dynamodb: notCalled, sqs: notCalled, ses: notCalled }, [step]);
  await proxy.stop();
  return proxy;
};
/** Starts a function with this source at such a proxy. */
const functionOf = async (source: string, step: Step) => {
  const proxy = await proxyWith(step);
  const folder = join(home.folder, `bundle-${bundles++}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'index.mjs'), source);
  const deployment = {
    name: 'masthead-test-function',
    folder,
    module: 'index.mjs',
    export: 'handler',
    timeoutMs: 10_000,
    memoryMb: 128,
    description: '',
    environment: {},
  };
  pool = startPool(deployment, {
    limit: 1,
    logFile: join(home.folder, 'log'),
    secret: 'secret',
    environment: {
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'caller',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_ENDPOINT_URL_DYNAMODB: proxy.origin,
    },
    proxy,
    onBegin() {},
    onEnd() {},
  });
  return pool;
};
const invoke = async (step: Step, text = 'text') => (await functionOf(putting, step)).invoke({ text });

/** Answers with the item of the call. */
const echo = ({ input }: Call): Answer => ({
  status: 200,
  headers: { 'content-type': 'application/x-amz-json-1.0' },
  body: Buffer.from(JSON.stringify({ Attributes: (input as { readonly Item: unknown }).Item })),
});

test('a call reaches the proxy and gets its response without an HTTP connection', async () => {
  const seen: unknown[] = [];
  const text = 'ä “quoted” 🗞 \u2028';
  const run = await invoke(async (call) => {
    seen.push(call.caller, call.environment?.split('.')[0], call.service, call.action);
    return echo(call);
  }, text);
  expect(run).toMatchObject({ ok: true, result: { text, attempts: 1 } });
  expect(seen).toEqual(['caller', 'secret', 'dynamodb', 'PutItem']);
});

test('an error of AWS becomes an error of the SDK', async () => {
  const body = { __type: 'com.amazonaws.dynamodb.v20120810#ResourceNotFoundException', message: 'no table' };
  const run = await invoke(async () => ({ status: 400, headers: {}, body: Buffer.from(JSON.stringify(body)) }));
  expect(run).toMatchObject({ result: { name: 'ResourceNotFoundException', message: 'no table', attempts: 1 } });
});

test.each(['reset', 'silence'] as const)('a call is sent again after a %s', async (kind) => {
  let calls = 0;
  const run = await invoke(async (call) => {
    if (++calls === 1) throw new NoAnswer(kind);
    return echo(call);
  });
  expect(run).toMatchObject({ result: { text: 'text', attempts: 2 } });
});

test.each(['reset', 'silence'] as const)('a call fails as over HTTP if each attempt meets a %s', async (kind) => {
  const run = await invoke(async () => {
    throw new NoAnswer(kind);
  });
  expect(run).toMatchObject({ result: { name: 'TimeoutError', attempts: 2 } });
});

test('a response after the timeout is ignored', async () => {
  const late: (() => void)[] = [];
  const run = await invoke(async (call) => {
    if (late.length > 0) {
      for (const answer of late) answer();
      return echo(call);
    }
    await new Promise<void>((resolve) => late.push(resolve));
    return { status: 500, headers: {}, body: Buffer.from('late') };
  });
  expect(run).toMatchObject({ result: { text: 'text', attempts: 2 } });
});

test('requests to other hosts use HTTP', async () => {
  const server = await listen(createServer((_, response) => response.end('over HTTP')));
  try {
    const source = `
      import { request } from 'node:http';
      export const handler = (url) => new Promise((resolve) => {
        request(url, { method: 'POST' }, (response) => response.on('data', (data) => resolve(data.toString()))).end();
      });`;
    const { invoke } = await functionOf(source, async (call) => echo(call));
    expect(await invoke(server.origin)).toMatchObject({ result: 'over HTTP' });
  } finally {
    await server.stop();
  }
});

test('the proxy reports how long its responses took, counting at most 100 ms for each call', async () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  const takes: readonly (readonly [ms: number, counted: number])[] = [
    [35, 35],
    [100, 135],
    [5000, 235],
  ];
  let ms = 0;
  const { connect } = await proxyWith(async () => {
    clock.mockReturnValue(performance.now() + ms);
    return { status: 200, headers: {}, body: Buffer.from('{}') };
  });
  const { port, answeringMs } = connect();
  try {
    for (const [taken, counted] of takes) {
      ms = taken;
      const headers = {
        Authorization: 'AWS4-HMAC-SHA256 Credential=caller/20261101/us-east-1/dynamodb/aws4_request',
        'X-Amz-Target': 'DynamoDB_20120810.GetItem',
      };
      const answered = once(port, 'message');
      port.postMessage({ id: 1, headers, body: '{}' });
      await answered;
      expect(answeringMs()).toBe(counted);
      clock.mockReturnValue(performance.now() + 1000);
      expect(answeringMs()).toBe(counted);
    }
  } finally {
    port.close();
    clock.mockRestore();
  }
});
