/** Hourly limits count per person or integration: a new token or key resets nothing, and sessions count too. */
import { afterAll, describe, expect, it } from 'vitest';
import { deliveryTools } from '../support/deliveries.ts';
import { expectRefusal } from '../support/envelope.ts';
import { inviting, newAddress } from '../support/invites.ts';
import { freshStack, type TestResponse } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';
import { signingIn } from '../support/sessions.ts';

const stack = await freshStack({
  invites: { perCallerAndHour: 2, perIntegrationAndHour: 2 },
  deliveries: { replaysPerCallerAndHour: 2, redeliveriesPerCallerAndHour: 2 },
});
const keys = await stack.seed();
const { invite, roles } = await inviting(stack, keys);
const { webhook, deliver, row } = deliveryTools(stack, keys);
const { signIn } = signingIn(stack);
const receiver = await receiveWebhooks();
afterAll(() => receiver.close());

const tooMany = { status: 429, type: 'TooManyRequestsError' } as const;
const one = () => [{ email: newAddress(), role_id: roles.Author }];

const renewed = async (key: string): Promise<string> => {
  const { apiKey } = (await stack.call('users/renew-token', { path: '/admin/users/me/token/', key })).body;
  return `${apiKey.id}:${apiKey.secret}`;
};
const newIntegration = async () => {
  const body = { integrations: [{ name: 'Shop' }] };
  const made = await stack.call('integrations/create', { path: '/admin/integrations/', key: keys.owner, body });
  const [{ id, api_keys }] = made.body.integrations;
  const refresh = async (): Promise<string> => {
    const path = `/admin/integrations/${id}/api_key/${api_keys[0].id}/refresh/`;
    const answer = await stack.call('integrations/refresh-key', { path, key: keys.owner });
    return answer.body.integrations[0].api_keys[0].secret;
  };
  return { key: api_keys[0].secret as string, refresh };
};

describe('a new key does not reset the limit', () => {
  it('of invites for a staff member', async () => {
    const { Editor: key = '' } = keys.staff;
    for (let sent = 0; sent < 2; sent++) expect((await invite(one(), key)).status).toBe(201);
    expectRefusal(await invite(one(), key), tooMany);
    expectRefusal(await invite(one(), await renewed(key)), tooMany);
  });

  it('of invites for an integration', async () => {
    const { key, refresh } = await newIntegration();
    for (let sent = 0; sent < 2; sent++) expect((await invite(one(), key)).status).toBe(201);
    expectRefusal(await invite(one(), await refresh()), tooMany);
  });

  it('of invites for a member who uses both a token and a session', async () => {
    const { 'Super Editor': key = '' } = keys.staff;
    for (let sent = 0; sent < 2; sent++) expect((await invite(one(), key)).status).toBe(201);
    const { cookie } = await signIn('super-editor@masthead.example');
    const path = '/admin/invites/';
    expectRefusal(await stack.call('invites/create', { path, cookie, body: { invites: one() } }), tooMany);
  });

  it('of redeliveries and replays for an Administrator', async () => {
    const { Administrator = '' } = keys.staff;
    const { id } = await webhook(`${receiver.origin}/limits`);
    await deliver();
    const delivery = await row(id);
    const redeliver = (key: string): Promise<TestResponse> =>
      stack.call('deliveries/redeliver', { path: `/admin/webhooks/${id}/deliveries/${delivery.id}/redeliver/`, key });
    const replay = async (key: string): Promise<TestResponse> => {
      const body = { replays: [{ since: '2026-01-01', until: '2026-01-02' }] };
      const answer = await stack.call('replays/create', { path: `/admin/webhooks/${id}/replays/`, key, body });
      for (const { body: message } of await stack.take('replays')) await stack.work('replays', [message]);
      return answer;
    };
    for (let sent = 0; sent < 2; sent++)
      expect([(await redeliver(Administrator)).status, (await replay(Administrator)).status]).toEqual([202, 202]);
    const key = await renewed(Administrator);
    for (const answer of [await redeliver(key), await replay(key)]) expectRefusal(answer, tooMany);
  });
});
