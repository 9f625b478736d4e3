/** Caps on webhooks per integration and on integrations per stage: 422 that names the cap, exact also for concurrent requests and after deletions. */
import { describe, expect, it } from 'vitest';
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
  it('are at most three: the next is refused, and another integration can still create its own', async () => {
    const [first] = await Promise.all(Array.from({ length: 3 }, () => existing(keys.integration)));
    expectFull(await newWebhook(keys.integration), 'caps.webhooks', 3);
    expectFull(await newWebhook(keys.integration), 'caps.webhooks', 3);
    expect((await newWebhook(keys.otherIntegration)).status).toBe(201);
    expectRefusal(await newWebhook(keys.integration, first?.target_url), { status: 422, type: 'ValidationError' });

    await remove(first?.id ?? '', keys.integration);

    expect((await newWebhook(keys.integration)).status).toBe(201);
    expectFull(await newWebhook(keys.integration), 'caps.webhooks', 3);
  });

  it('are at most three after twelve concurrent requests, and after many were created and deleted', async () => {
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
  it('are at most five, those included that the operator has seeded, also after concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, newIntegration));
    expect(statusesOf(answers)).toEqual([201, 201, ...Array(4).fill(422)]);
    expectFull(await newIntegration(), 'caps.integrations', 5);
    const [created] = answers.filter(({ status }) => status === 201);
    const { id } = created?.body.integrations[0] ?? {};
    await stack.call('integrations/delete', { path: `/admin/integrations/${id}/`, key: keys.owner });

    expect(statusesOf(await Promise.all([newIntegration(), newIntegration()]))).toEqual([201, 422]);
  });
});
