/** A long request checks its key again: five seconds after the key or the role has ended, it writes nothing more. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ApiKey } from '../../shared/accounts/api-key.ts';
import type { StaffMember } from '../../shared/accounts/staff-member.ts';
import type { FindApiKey } from '../../shared/foundation/caller.ts';
import type { ApiKeyId, StaffId } from '../../shared/foundation/ids.ts';
import { expectRefusal } from '../support/envelope.ts';
import { freshStack, type TestResponse } from '../support/parts.ts';
import { apiEvent, lambdaContext } from '../support/parts-event.ts';
import { stopTime } from '../support/test-time.ts';

const { pass } = stopTime();
const stack = await freshStack();
// Other files have loaded these modules with their own environment.
vi.resetModules();
const { apiKeyFinder } = await import('../../shared/accounts/find-api-key.ts');
const { keyEndpoint } = await import('../../shared/http/endpoint.ts');
const { send } = await import('../../shared/aws/queues.ts');
const { get, put } = await import('../../shared/table/item.ts');
const { transact } = await import('../../shared/table/transaction.ts');

const kid = 'a'.repeat(24) as ApiKeyId;
const staffId = 'b'.repeat(24) as StaffId;
const secret = 'ab'.repeat(32);
let key: ApiKey | undefined;
let member: StaffMember | undefined;
let reads = 0;
let keys: FindApiKey;
beforeEach(() => {
  const created_at = new Date().toISOString();
  key = { id: kid, secret, owner: { kind: 'staff', staff_id: staffId }, created_at };
  member = { id: staffId, name: 'Olive', email: 'olive@example.org', role: 'Administrator', created_at };
  reads = 0;
  keys = apiKeyFinder({
    readApiKey: async () => {
      reads += 1;
      return key;
    },
    readStaffMember: async () => member,
    clock: () => Date.now(),
  });
});

/** Answers a request with this work, as the handlers of endpoints do. */
const answer = async (work: () => Promise<void>): Promise<TestResponse> => {
  const credentials = {
    key: keys,
    session: Object.assign(async () => undefined, { isKnown: () => false }),
    noteUse: async () => {},
  };
  const handler = keyEndpoint(
    {
      line: 'webhooks/delete',
      answer: { status: 204 },
      handle: async ({ reply }) => {
        await work();
        return reply();
      },
    },
    credentials,
  );
  const request = { method: 'DELETE', path: `/admin/webhooks/${kid}/`, key: `${kid}:${secret}` };
  const event = apiEvent(request, '/admin/webhooks/{id}/', '/ghost/api');
  const { statusCode, headers = {}, body } = await handler(event, lambdaContext('webhooks/delete', 10));
  const text = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)] as const);
  return { status: statusCode, headers: Object.fromEntries(text), text: body, body: body && JSON.parse(body) };
};

let number = 0;
const newItem = () => ({ pk: `TEST#${number++}`, sk: 'TEST' });
const revoke = () => {
  key = undefined;
};

describe('a request that takes five seconds', () => {
  const changes: readonly (readonly [string, (item: { pk: string; sk: string }) => Promise<unknown>])[] = [
    ['writes no item', put],
    ['does no transaction', (item) => transact([{ kind: 'put', item }])],
    ['sends no message', (body) => send('mail', [{ body }])],
  ];

  it.each(changes)('%s after its key was removed', async (_title, change) => {
    const [before, after] = [newItem(), newItem()];
    const refused = await answer(async () => {
      await change(before);
      revoke();
      pass(5000);
      await change(after);
    });
    expectRefusal(refused, { status: 401, type: 'UnauthorizedError', code: 'UNKNOWN_ADMIN_API_KEY' });
    expect(await get(after)).toBeUndefined();
    expect((await stack.take('mail')).map(({ body }) => body)).not.toContainEqual(expect.objectContaining(after));
  });

  it('writes nothing after its role has changed', async () => {
    const item = newItem();
    const refused = await answer(async () => {
      member = member && { ...member, role: 'Owner' };
      pass(5000);
      await put(item);
    });
    expect(expectRefusal(refused, { status: 403, type: 'NoPermissionError' }).message).toContain('role has changed');
    expect(await get(item)).toBeUndefined();
  });

  it('reads its valid key again only every four seconds', async () => {
    const items = Array.from({ length: 9 }, newItem);
    pass(10_000);
    const answered = await answer(async () => {
      await put(newItem());
      expect(reads).toBe(1);
      for (const item of items) {
        pass(1000);
        await put(item);
      }
    });
    expect(answered.status).toBe(204);
    expect(await Promise.all(items.map((item) => get(item)))).not.toContain(undefined);
    expect(reads).toBe(3);
  });
});

describe('a retry of the AWS SDK after five seconds', () => {
  let attempts = 0;
  /** Ends the first attempt; when the SDK makes the next one, the key is gone. */
  const onRequest = (message: unknown) => {
    const { request } = message as { request: ClientRequest };
    if (!String(request.getHeader('x-amz-target')).endsWith('.PutItem')) return;
    attempts += 1;
    if (attempts > 1) return;
    revoke();
    pass(5000);
    request.destroy(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }));
  };
  beforeEach(() => subscribe('http.client.request.created', onRequest));
  afterEach(() => {
    unsubscribe('http.client.request.created', onRequest);
  });

  it('is not sent if the key was removed meanwhile', async () => {
    const item = newItem();
    expectRefusal(await answer(() => put(item)), {
      status: 401,
      type: 'UnauthorizedError',
      code: 'UNKNOWN_ADMIN_API_KEY',
    });
    expect([attempts, await get(item)]).toEqual([1, undefined]);
  });
});
