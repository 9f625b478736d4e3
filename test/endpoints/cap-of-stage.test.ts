/** The cap on all webhooks of a stage: the 422 names it. */
import { describe, expect, it } from 'vitest';
import { expectRefusal } from '../support/envelope.ts';
import { freshStack, type TestResponse } from '../support/parts.ts';
import { stopTime } from '../support/test-time.ts';
import { newUrl, webhookCalls } from '../support/webhooks.ts';

const { pass } = stopTime();
const stack = await freshStack({ caps: { webhooksOfStage: 4 }, ownEvents: ['shop.order.paid'] });
const keys = await stack.seed();
const { create, update, remove } = webhookCalls(stack);

const newWebhook = (key: string, event = 'site.changed') => create({ event, target_url: newUrl() }, key);
const expectFull = (answer: TestResponse) => {
  const error = expectRefusal(answer, { status: 422, type: 'ValidationError', property: 'integration_id' });
  expect(error.message).toBe('The stage has 4 webhooks, which is the maximum.');
  expect(error.help).toContain('`caps.webhooksOfStage`');
  expect(error.details).toEqual([expect.objectContaining({ index: 0, rule: 'caps.webhooksOfStage', limit: 4 })]);
};

describe('the webhooks of a stage', () => {
  it('are at most four, however many events they have, and a deletion makes room within ten seconds', async () => {
    const duplicate = { event: 'site.changed', target_url: newUrl() };
    const first = (await create(duplicate, keys.integration)).body.webhooks[0];
    for (let count = 0; count < 3; count++) expect((await create(duplicate, keys.integration)).status).toBe(422);
    const several = await newWebhook(keys.integration, 'post.*,shop.order.paid,page.added');
    expect(several.status).toBe(201);
    // It stays in the list of the pattern for a while.
    const [{ id }] = several.body.webhooks;
    expect((await update(id, { event: 'post.added,shop.order.paid' }, keys.integration)).status).toBe(200);
    expect((await newWebhook(keys.otherIntegration, 'post.added')).status).toBe(201);
    const answers = await Promise.all([keys.integration, keys.otherIntegration].map((key) => newWebhook(key)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422]);
    expectFull(answers.find(({ status }) => status === 422) ?? expect.fail());

    await remove(first.id, keys.integration);
    pass(10_000);

    expect((await newWebhook(keys.otherIntegration)).status).toBe(201);
    expectFull(await newWebhook(keys.otherIntegration));
  });
});
