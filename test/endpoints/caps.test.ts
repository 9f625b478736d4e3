/** Caps on webhooks and integrations hold for concurrent requests and after deletions. The 422 names the cap. */
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, it } from 'vitest';
import { contract } from '../../shared/contract.ts';
import { itemsOf } from '../attack/items.ts';
import { expectRefusal } from '../support/envelope.ts';
import { freshStack, type TestResponse } from '../support/parts.ts';
import { newUrl, webhookCalls } from '../support/webhooks.ts';

const stack = await freshStack({ caps: { webhooks: 3, integrations: 5 } });
const keys = await stack.seed();
const { create, existing, remove } = webhookCalls(stack);

const newWebhook = (key: string, target_url = newUrl()) => create({ event: 'site.changed', target_url }, key);
const newIntegration = () =>
  stack.call('integrations/create', {
    path: '/admin/integrations/',
    key: keys.owner,
    body: { integrations: [{ name: 'Shop' }] },
  });
const statusesOf = (answers: readonly TestResponse[]) => answers.map(({ status }) => status).sort();
const expectFull = (answer: TestResponse, rule: string, limit: number) => {
  const error = expectRefusal(answer, {
    status: 422,
    type: 'ValidationError',
    ...(rule === 'caps.webhooks' && { property: 'integration_id' }),
  });
  expect(error.message).toContain(String(limit));
  expect(error.help).toContain(rule);
  expect(error.details).toEqual([expect.objectContaining({ index: 0, rule, limit })]);
};

describe('the webhooks of an integration', () => {
  it('are at most three, and another integration can still create its own', async () => {
    const [first] = await Promise.all(Array.from({ length: 3 }, () => existing(keys.integration)));
    expectFull(await newWebhook(keys.integration), 'caps.webhooks', 3);
    expectFull(await newWebhook(keys.integration), 'caps.webhooks', 3);
    expect((await newWebhook(keys.otherIntegration)).status).toBe(201);
    expectRefusal(await newWebhook(keys.integration, first?.target_url), { status: 422, type: 'ValidationError' });

    await remove(first?.id ?? '', keys.integration);

    expect((await newWebhook(keys.integration)).status).toBe(201);
    expectFull(await newWebhook(keys.integration), 'caps.webhooks', 3);
  });

  it('are at most three even after twelve concurrent requests, and after many creations and deletions', async () => {
    const key = (await newIntegration()).body.integrations[0].api_keys[0].secret;
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all(Array.from({ length: 12 }, () => newWebhook(key)));
      expect(statusesOf(answers)).toEqual([201, 201, 201, ...Array(9).fill(422)]);
      const created = answers.filter(({ status }) => status === 201);
      await Promise.all(created.map(({ body }) => remove(body.webhooks[0].id, key)));
    }
  });
});

describe('the integrations of a stage', () => {
  it('are at most five, including the seeded ones, even after concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, newIntegration));
    expect(statusesOf(answers)).toEqual([201, 201, ...Array(4).fill(422)]);
    expectFull(await newIntegration(), 'caps.integrations', 5);
    const [created] = answers.filter(({ status }) => status === 201);
    const { id } = created?.body.integrations[0] ?? {};
    await stack.call('integrations/delete', { path: `/admin/integrations/${id}/`, key: keys.owner });

    expect(statusesOf(await Promise.all([newIntegration(), newIntegration()]))).toEqual([201, 422]);
  });
});

describe('the key of an integration or a staff member', () => {
  const owners = async () => {
    const items = (await itemsOf(stack.dynamodb, stack.tableName)).map((item) => unmarshall(item));
    return items.flatMap(({ sk, owner }) => (sk === 'KEY' ? [owner.integration_id ?? owner.staff_id] : []));
  };

  it('is the only one: a new key replaces the old one, even in concurrent requests', async () => {
    const before = await owners();
    const { integrations } = (
      await stack.call('integrations/list', { path: '/admin/integrations/?include=api_keys', key: keys.owner })
    ).body;
    const { id, api_keys } = integrations.at(-1);
    const path = `/admin/integrations/${id}/api_key/${api_keys[0].id}/refresh/`;
    const refreshes = [1, 2, 3].map(() => stack.call('integrations/refresh-key', { path, key: keys.owner }));
    expect(statusesOf(await Promise.all(refreshes))).toEqual([200, 404, 404]);
    const key = keys.staff.Author ?? '';
    const renewals = [1, 2, 3].map(() => stack.call('users/renew-token', { path: '/admin/users/me/token/', key }));
    expect(statusesOf(await Promise.all(renewals))).toContain(200);

    const after = await owners();
    expect(after.toSorted()).toEqual(before.toSorted());
    expect(new Set(after).size).toBe(after.length);
  });

  it('is created only by the four functions that create or replace keys', () => {
    const creators = contract.flatMap(({ function: name, access }) =>
      'table' in access && access.table.PutItem?.includes('KEY#') ? [name] : [],
    );
    expect(creators.sort()).toEqual([
      'integrations/create',
      'integrations/refresh-key',
      'setup/seed',
      'users/renew-token',
    ]);
  });
});
