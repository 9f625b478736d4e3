/** What a DynamoDB in place of the embedded one sees: calls of one access key id, of letters and digits. */
import { createServer } from 'node:http';
import { afterAll, expect, it } from 'vitest';
import { listen } from '../../infra/emulator/loopback.ts';
import { provisionTable } from '../../infra/emulator/provision.ts';
import { readCall } from '../../infra/emulator/proxy/call.ts';
import { forwardTo } from '../../infra/emulator/proxy/forward.ts';

const keys: (string | undefined)[] = [];
const server = createServer((request, response) => {
  keys.push(/Credential=([^/]+)\//.exec(request.headers.authorization ?? '')?.[1]);
  request.resume().on('end', () => response.end('{}'));
});
const { origin } = await listen(server);
afterAll(() => server.close());

it('a function, whose access key id is its name, calls the table with the id that created it', async () => {
  const definition = {
    TableName: 't',
    BillingMode: 'PAY_PER_REQUEST' as const,
    AttributeDefinitions: [],
    KeySchema: [],
  };
  await provisionTable(origin, { name: 't', definition, ttlAttribute: undefined });
  const authorization =
    'AWS4-HMAC-SHA256 Credential=masthead-local-roles-list/20260101/eu-central-1/dynamodb/aws4_request, Signature=none';
  const headers = { authorization, 'x-amz-target': 'DynamoDB_20120810.GetItem' };
  const { forward, close } = forwardTo(origin);
  await forward(readCall(headers, Buffer.from('{}')) ?? expect.fail());
  await close();
  expect(keys[0]).toMatch(/^[A-Za-z0-9]+$/);
  expect(new Set(keys).size).toBe(1);
});
