/** Requests without a valid key are limited per source address, before the key is looked up. */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ApiKeyId } from '../../shared/foundation/ids.ts';
import { keyEndpoint } from '../../shared/http/endpoint.ts';
import { ok } from '../../shared/http/response.ts';
import { takeLog } from '../support/log-lines.ts';
import { apiEvent, lambdaContext } from '../support/parts-event.ts';
import { settingsText } from '../support/settings-text.ts';

process.env.SETTINGS ??= settingsText({ stage: 'unit' });

const good = `${'a'.repeat(24)}:${'1'.repeat(64)}`;
const unknown = `${'b'.repeat(24)}:${'2'.repeat(64)}`;
const now = Date.now();

describe('an endpoint', () => {
  takeLog();
  let lookups: number;
  let clock: number;
  let call: (key: string, source?: string) => Promise<{ statusCode: number; headers?: object | undefined }>;

  beforeEach(() => {
    lookups = 0;
    clock = now;
    const handler = keyEndpoint({
      line: 'roles/list',
      credentials: {
        key: async (kid) => {
          lookups += 1;
          return kid === ('a'.repeat(24) as ApiKeyId)
            ? {
                secret: '1'.repeat(64),
                caller: { kind: 'integration', keyId: kid, integrationId: 'c'.repeat(24) as never },
              }
            : undefined;
        },
        session: async () => undefined,
        noteUse: async () => {},
      },
      clock: () => clock,
      handle: async () => ok({ roles: [] }),
    });
    call = async (key, source = '192.0.2.1') => {
      const event = apiEvent({ path: '/admin/roles/', key }, '/admin/roles/', '');
      const from = { ...event.requestContext, identity: { ...event.requestContext.identity, sourceIp: source } };
      return handler({ ...event, requestContext: from } as APIGatewayProxyEvent, lambdaContext('roles/list', 10));
    };
  });

  it('answers 429 to a source address that tried too many keys, without looking up the key', async () => {
    for (let sent = 0; sent < 50; sent += 1) expect((await call(unknown)).statusCode).toBe(401);
    const before = lookups;
    const refused = await call(unknown);
    expect(refused).toMatchObject({ statusCode: 429, headers: { 'Retry-After': '10' } });
    expect(lookups).toBe(before);
  });

  it('still answers publishers at other source addresses, however often they call', async () => {
    for (let sent = 0; sent < 60; sent += 1) await call(unknown);
    for (let sent = 0; sent < 200; sent += 1) expect((await call(good, '198.51.100.7')).statusCode).toBe(200);
  });

  it('answers the blocked source address again after ten seconds', async () => {
    for (let sent = 0; sent < 60; sent += 1) await call(unknown);
    clock = now + 10_000;
    expect((await call(good)).statusCode).toBe(200);
  });
});
