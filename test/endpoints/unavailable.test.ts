/** Responses while the table is not available: 503 with Retry-After. */
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { listen } from '../../infra/emulator/loopback.ts';
import { expectRefusal } from '../support/envelope.ts';
import { freshStack } from '../support/parts.ts';

const stack = await freshStack();
let fault: { readonly status: number; readonly type: string } | 'hang up' = 'hang up';
const table = createServer((request, response) => {
  if (fault === 'hang up') {
    request.socket.destroy();
    return;
  }
  response.writeHead(fault.status, { 'Content-Type': 'application/x-amz-json-1.0' });
  response.end(JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${fault.type}`, message: 'table masthead' }));
});
const { origin, stop } = await listen(table);
// The first call imports the functions, and importing creates their client.
process.env.AWS_ENDPOINT_URL_DYNAMODB = origin;
afterAll(stop);

// The SDK can wait for seconds between its attempts.
beforeAll(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

const key = `${'ab'.repeat(12)}:${'cd'.repeat(32)}`;

describe('if the table fails, a request returns 503 ServiceUnavailableError with Retry-After', () => {
  it.each([
    ['the table cannot be reached', 'hang up' as const],
    ['capacity is missing', { status: 400, type: 'ProvisionedThroughputExceededException' }],
    ['the table throttles', { status: 400, type: 'ThrottlingException' }],
    ['the account is over its limit', { status: 400, type: 'RequestLimitExceeded' }],
    ['AWS has an internal error', { status: 500, type: 'InternalServerError' }],
  ])('because %s', async (_, injected) => {
    fault = injected;
    const answer = await stack.call('roles/list', { path: '/admin/roles/', key });
    expectRefusal(answer, { status: 503, type: 'ServiceUnavailableError' });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(answer.text).not.toMatch(/dynamo|Exception|ECONN|127\.0\.0\.1|masthead/i);
  });

  it.each(['ValidationException', 'AccessDeniedException', 'ResourceNotFoundException'])(
    'unless the error is a %s, which returns 500 because a retry would not help',
    async (type) => {
      fault = { status: 400, type };
      const answer = await stack.call('roles/list', { path: '/admin/roles/', key });
      expectRefusal(answer, { status: 500, type: 'InternalServerError' });
      expect(answer.headers['retry-after']).toBeUndefined();
    },
  );
});
