/** A web page, or a program without this start's secret, can reach only the API and the receiver of the local stack. */
import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningStack, runStack, temporaryHome } from '../support/parts-running-stack.ts';
import { type ListeningSocket, listeningSockets } from '../support/parts-sockets.ts';

const home = temporaryHome();
let running: RunningStack;
let sockets: readonly ListeningSocket[];
let ports: readonly number[];
beforeAll(async () => {
  running = await runStack(home.folder, ['--memory']);
  sockets = listeningSockets(running.pid);
  ports = sockets.filter(({ address }) => address === '127.0.0.1').map(({ port }) => port);
});
afterAll(async () => {
  await running.end('SIGTERM');
  home.remove();
});

type Headers = Readonly<Record<string, string>>;

const send = (port: number, method: string, path: string, headers: Headers, body?: string) =>
  new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
    const sent = httpRequest({ host: '127.0.0.1', port, method, path, headers }, async (response) =>
      resolve({ status: response.statusCode ?? 0, text: await text(response) }),
    );
    sent.on('error', reject);
    sent.end(body);
  });

const statuses = async (method: string, path: string, headersFor: (port: number) => Headers) => {
  const answers = ports.map(async (port) => [port, (await send(port, method, path, headersFor(port))).status]);
  return Object.fromEntries(await Promise.all(answers));
};
const all = (status: number) => Object.fromEntries(ports.map((port) => [port, status]));

describe('every port of the local stack', () => {
  it('is on a loopback address', () => {
    expect(sockets.filter(({ address }) => !address.startsWith('127.'))).toEqual([]);
    expect(ports.length).toBeGreaterThanOrEqual(4);
  });

  it("checks its callers; DynamoDB's port is instead on a random address that only the proxy knows", () => {
    const others = sockets.filter(({ address }) => address !== '127.0.0.1');
    expect(others).toEqual([{ address: expect.stringMatching(/^127(\.\d+){3}$/), port: expect.any(Number) }]);
    const reported = running.output() + readFileSync(join(home.folder, 'stack.json'), 'utf8');
    expect(reported).not.toContain(others[0]?.address);
  });

  it('refuses a Host header that is not its own address', async () => {
    expect(await statuses('GET', '/', (port) => ({ Host: `evil.example:${port}` }))).toEqual(all(403));
    expect(await statuses('GET', '/', () => ({ Host: '127.0.0.1' }))).toEqual(all(403));
    expect(await statuses('GET', '/', (port) => ({ Host: `127.0.0.1:${port + 1}` }))).toEqual(all(403));
  });

  it.each(['https://evil.example', 'http://127.0.0.1:1', 'null'])('refuses the Origin %s', async (Origin) => {
    expect(await statuses('POST', '/', () => ({ Origin }))).toEqual(all(403));
    expect(await statuses('POST', '/clear-store', () => ({ Origin }))).toEqual(all(403));
    const preflight = { Origin, 'Access-Control-Request-Method': 'POST' };
    expect(await statuses('OPTIONS', '/', () => preflight)).toEqual(all(403));
  });
});

const aws = (service: string, target: string): Headers => ({
  'Content-Type': 'application/x-amz-json-1.0',
  'X-Amz-Target': target,
  'X-Amz-Date': '20260101T000000Z',
  Authorization:
    `AWS4-HMAC-SHA256 Credential=masthead-local-roles-list/20260101/eu-central-1/${service}/aws4_request, ` +
    'SignedHeaders=host, Signature=none',
});

describe("without this start's secret no port", () => {
  it.each([
    ['reads the table', 'POST', '/', aws('dynamodb', 'DynamoDB_20120810.ListTables'), '{}'],
    ['lists the queues', 'POST', '/', aws('sqs', 'AmazonSQS.ListQueues'), '{}'],
    ['lists the mails', 'GET', '/store', {}, undefined],
    ['clears the mailbox', 'POST', '/clear-store', {}, undefined],
    ['shows the counts', 'GET', '/counts', {}, undefined],
    ['shows the injected faults', 'GET', '/faults', {}, undefined],
    ['shows what the demo receiver got', 'GET', '/requests', {}, undefined],
  ])('%s', async (_what, method, path, headers, body) => {
    const answers = await Promise.all(ports.map((port) => send(port, method, path, headers, body)));
    // The demo receiver accepts every webhook and reveals nothing about it.
    const succeeded = answers.filter((answer) => answer.status < 300 && answer.text !== '{"received":true}');
    expect(succeeded).toEqual([]);
  });
});
