/** The cap on the webhooks of a stage: 422 that names it, counted in blocks, so that no item is written by each creation. */
import { unsubscribe as unwatch, subscribe as watch } from 'node:diagnostics_channel';
import { describe, expect, it, vi } from 'vitest';
import { expectRefusal } from '../support/envelope.ts';
import { freshStack, type TestResponse } from '../support/parts.ts';
import { stopTime } from '../support/test-time.ts';
import { newUrl, webhookCalls } from '../support/webhooks.ts';

const { pass } = stopTime();
const stack = await freshStack({ caps: { webhooksOfStage: 4 }, ownEvents: ['shop.order.paid'] });
const keys = await stack.seed();
const { create, remove } = webhookCalls(stack);
// Other files have loaded these modules with their own environment.
vi.resetModules();
const { get } = await import('../../shared/table/item.ts');
const { inBlocks } = await import('../../shared/limits/blocks.ts');

const newWebhook = (key: string, event = 'site.changed') => create({ event, target_url: newUrl() }, key);
const expectFull = (answer: TestResponse) => {
  const error = expectRefusal(answer, { status: 422, type: 'ValidationError', property: 'integration_id' });
  expect(error.message).toBe('The stage has 4 webhooks, which is the maximum.');
  expect(error.help).toContain('`caps.webhooksOfStage`');
  expect(error.details).toEqual([expect.objectContaining({ index: 0, rule: 'caps.webhooksOfStage', limit: 4 })]);
};

describe('the webhooks of a stage', () => {
  it('are at most four over all integrations and events; a deletion makes room within ten seconds', async () => {
    const duplicate = { event: 'site.changed', target_url: newUrl() };
    const first = (await create(duplicate, keys.integration)).body.webhooks[0];
    for (let count = 0; count < 3; count++) expect((await create(duplicate, keys.integration)).status).toBe(422);
    expect((await newWebhook(keys.integration, 'shop.order.paid')).status).toBe(201);
    expect((await newWebhook(keys.otherIntegration, 'post.added')).status).toBe(201);
    const answers = await Promise.all([keys.integration, keys.otherIntegration].map((key) => newWebhook(key)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422]);
    expectFull(answers.find(({ status }) => status === 422) ?? expect.fail());

    await remove(first.id, keys.integration);
    pass(10_000);

    expect((await newWebhook(keys.otherIntegration)).status).toBe(201);
    expectFull(await newWebhook(keys.otherIntegration));
  });

  it('are reserved with one request for ten creations while the cap is far', async () => {
    const key = { pk: 'INTEGRATIONS', sk: 'FAR' };
    const { take } = inBlocks({ key, count: async () => 0, clock: Date.now });
    const takeTen = async () => {
      for (let taken = 0; taken < 10; taken++) expect(await take(300)).toBe(true);
    };
    await takeTen();
    let sent = 0;
    const onRequest = () => {
      sent += 1;
    };
    watch('http.client.request.created', onRequest);

    for (let block = 1; block <= 3; block++) {
      await takeTen();
      expect(sent).toBe(block);
    }
    pass(60_000);
    await takeTen();
    unwatch('http.client.request.created', onRequest);

    expect(sent).toBe(5);
    expect(await get<{ count: number }>(key)).toMatchObject({ count: 50 });
  });

  it('are counted with one write for ten creations, and exceed a cap of 300 by less than ten for each environment', async () => {
    let created = 0;
    let countings = 0;
    const count = async () => {
      countings += 1;
      return created;
    };
    const key = { pk: 'INTEGRATIONS', sk: 'TEST' };
    const environments = Array.from({ length: 4 }, () => inBlocks({ key, count, clock: Date.now }));
    const fill = () =>
      Promise.all(
        environments.map(async ({ take }) => {
          while (await take(300)) created += 1;
        }),
      );
    for (; created < 10; created++) {
      await environments[0]?.take(300);
      expect(await get<{ count: number }>(key)).toMatchObject({ count: 10 });
    }
    await fill();
    pass(60_000);
    await fill();

    expect(created).toBeGreaterThanOrEqual(300);
    expect(created).toBeLessThan(300 + 4 * 10);
    expect(countings).toBeLessThan(20);
  });
});
