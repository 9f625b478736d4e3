/** Requests without a valid key are limited per address; known callers and valid keys still get through. */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { beforeEach, describe, expect, it } from 'vitest';
import { apiKeyFinder } from '../../shared/accounts/find-api-key.ts';
import { sessionFinder } from '../../shared/accounts/find-session.ts';
import { roleResource } from '../../shared/accounts/resource.ts';
import { newSession } from '../../shared/accounts/session.ts';
import type { StaffMember } from '../../shared/accounts/staff-member.ts';
import type { ApiKeyId, IntegrationId, StaffId } from '../../shared/foundation/ids.ts';
import { keyEndpoint } from '../../shared/http/endpoint.ts';
import { takeLog } from '../support/log-lines.ts';
import { apiEvent, lambdaContext } from '../support/parts-event.ts';
import { settingsText } from '../support/settings-text.ts';

process.env.SETTINGS ??= settingsText({ stage: 'unit' });
process.env.BASE_URL = 'http://localhost';

const goodId = 'a'.repeat(24) as ApiKeyId;
const good = `${goodId}:${'1'.repeat(64)}`;
const forged = `${goodId}:${'2'.repeat(64)}`;
const unknown = `${'b'.repeat(24)}:${'2'.repeat(64)}`;
const staffId = 'd'.repeat(24) as StaffId;
const now = Date.now();
const { session, cookie } = newSession(staffId, undefined, now);
const member = { id: staffId, role: 'Owner', name: 'Olive', email: 'olive@example.com' } as StaffMember;

describe('an endpoint', () => {
  takeLog();
  let lookups: number;
  let clock: number;
  let isStored: boolean;
  let send: (headers: Record<string, string>, source?: string) => Promise<number>;
  let call: (key: string, source?: string) => Promise<{ statusCode: number; headers?: object | undefined }>;

  beforeEach(() => {
    lookups = 0;
    clock = now;
    isStored = true;
    const readStaffMember = async () => member;
    const handler = keyEndpoint(
      {
        line: 'roles/list',
        clock: () => clock,
        answer: { status: 200, root: 'roles', item: roleResource },
        handle: async ({ reply }) => reply([]),
      },
      {
        key: apiKeyFinder({
          readApiKey: async (id) => {
            lookups += 1;
            const owner = { kind: 'integration', integration_id: 'c'.repeat(24) as IntegrationId } as const;
            return id === goodId && isStored
              ? { id, secret: '1'.repeat(64), owner, created_at: '2026-01-01T00:00:00.000Z' }
              : undefined;
          },
          readStaffMember,
          clock: () => clock,
        }),
        session: sessionFinder({
          readSession: async (_member, id) => {
            lookups += 1;
            return id === session.id ? session : undefined;
          },
          readStaffMember,
          clock: () => clock,
        }),
        noteUse: async () => {},
      },
    );
    const request = (event: APIGatewayProxyEvent, sourceIp: string) => {
      const from = { ...event.requestContext, identity: { ...event.requestContext.identity, sourceIp } };
      return handler({ ...event, requestContext: from } as APIGatewayProxyEvent, lambdaContext('roles/list', 10));
    };
    call = (key, source = '192.0.2.1') =>
      request(apiEvent({ path: '/admin/roles/', key }, '/admin/roles/', ''), source);
    send = async (headers, source = '192.0.2.1') =>
      (await request(apiEvent({ path: '/admin/roles/', headers }, '/admin/roles/', ''), source)).statusCode;
  });

  const strangers = async (count: number) => {
    for (let sent = 0; sent < count; sent += 1) await call(unknown);
  };

  it('answers 429 to a source address that tried too many keys, and looks up ten a second', async () => {
    for (let sent = 0; sent < 50; sent += 1) expect((await call(unknown)).statusCode).toBe(401);
    expect(await call(unknown)).toMatchObject({ statusCode: 429, headers: { 'Retry-After': '10' } });
    const before = lookups;
    await strangers(500);
    expect(lookups - before).toBe(9);
    clock = now + 1000;
    await strangers(500);
    expect(lookups - before).toBe(19);
  });

  it('answers a key that it knows behind a blocked source address, which costs strangers no look-up', async () => {
    expect((await call(good)).statusCode).toBe(200);
    await strangers(500);
    clock = now + 6000;
    await strangers(500);
    for (let sent = 0; sent < 20; sent += 1) expect((await call(good)).statusCode).toBe(200);
    const before = lookups;
    for (let sent = 0; sent < 20; sent += 1) expect((await call(forged)).statusCode).toBe(429);
    expect(lookups).toBe(before);
  });

  it('answers a session that it knows behind a blocked source address', async () => {
    const headers = { Cookie: `masthead_session=${cookie}` };
    expect(await send(headers)).toBe(200);
    await strangers(500);
    clock = now + 6000;
    await strangers(500);
    expect(await send(headers)).toBe(200);
    expect(await send({ Cookie: `masthead_session=${cookie.slice(0, -1)}` })).toBe(429);
  });

  it('answers a valid key that it has not seen if it is among the ten of a second', async () => {
    await strangers(500);
    clock = now + 2000;
    await strangers(9);
    expect((await call(good)).statusCode).toBe(200);
  });

  it('forgets a key that was deleted, so that it costs no look-ups beyond the ten', async () => {
    expect((await call(good)).statusCode).toBe(200);
    isStored = false;
    clock = now + 5000;
    for (let sent = 0; sent < 50; sent += 1) expect((await call(good)).statusCode).toBe(401);
    const before = lookups;
    for (let sent = 0; sent < 50; sent += 1) expect((await call(good)).statusCode).toBe(429);
    expect(lookups - before).toBe(10);
  });

  it('still answers publishers at other source addresses, however often they call', async () => {
    await strangers(60);
    for (let sent = 0; sent < 200; sent += 1) expect((await call(good, '198.51.100.7')).statusCode).toBe(200);
  });

  it('answers the blocked source address again after ten seconds', async () => {
    await strangers(60);
    clock = now + 10_000;
    expect((await call(good)).statusCode).toBe(200);
  });
});
