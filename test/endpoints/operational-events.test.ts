/** Events about webhooks and deliveries are published at least once and never cause each other. */
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { webhookKey } from '../../shared/webhooks/table-keys.ts';
import { defaultSettings } from '../support/default-settings.ts';
import { deliveryTools } from '../support/deliveries.ts';
import { documentedBodyOf } from '../support/documented-delivery.ts';
import { freshStack } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';
import { newUrl, webhookCalls } from '../support/webhooks.ts';

const stack = await freshStack({ deliveries: { retryAfterSeconds: [0] } });
const keys = await stack.seed();
const { webhook, publish, record, tamper, row } = deliveryTools(stack, keys);
const { update } = webhookCalls(stack);

const minute = 60_000;
const day = 24 * 60 * minute;
vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);

let status = 200;
const receiver = await receiveWebhooks((response) => {
  response.writeHead(status);
  response.end();
});
const listener = await receiveWebhooks();
afterAll(() => {
  receiver.close();
  listener.close();
  vi.useRealTimers();
});

const drain = async () => {
  for (let round = 0; round < 3; round++)
    for (const queue of ['events', 'deliveries', 'slow-deliveries', 'mail'] as const) await stack.drain(queue);
};
const sweep = async () => {
  await stack.invoke('due/sweep', {});
  await drain();
};
const heard: Record<string, string> = {};
for (const event of ['webhook.failing', 'webhook.disabled', 'webhook.recovered', 'delivery.failed'])
  heard[event] = (await webhook(`${listener.origin}/${event}`, { event })).id;
const got = (event: string, id: string) =>
  listener.deliveries
    .filter(({ path, body }) => path === `/${event}` && body.includes(id))
    .map(({ body }) => documentedBodyOf(body));

let hooks = 0;
const hook = async (event = 'post.published') => {
  const { id } = await webhook(`${receiver.origin}/${hooks++}`, { event });
  return {
    id,
    key: webhookKey(id as WebhookId),
    event: async (answer: number) => {
      status = answer;
      await tamper(webhookKey(id as WebhookId), { health: undefined, health_revision: undefined });
      await publish(event);
      await drain();
      status = 200;
    },
  };
};

describe('a webhook that fails', () => {
  it('causes the event webhook.failing once, and webhook.recovered with its next success', async () => {
    const { id, event } = await hook('post.added');
    await event(500);
    expect(got('webhook.failing', id)).toEqual([]);
    pass(31 * minute);
    await event(500);
    await event(500);
    expect(got('webhook.failing', id)).toEqual([
      {
        event: 'webhook.failing',
        webhook: {
          current: {
            id,
            event: 'post.added',
            name: null,
            integration_id: expect.any(String),
            status: 'available',
            reason: null,
            at: expect.any(String),
          },
          previous: {},
        },
      },
    ]);
    expect(got('webhook.recovered', id)).toEqual([]);
    await event(200);
    expect(got('webhook.recovered', id)).toMatchObject([{ webhook: { current: { id, status: 'available' } } }]);
    expect(await record(id)).not.toHaveProperty('due');
  });

  it('causes the event webhook.recovered only after webhook.failing', async () => {
    const { id, event } = await hook('post.edited');
    await event(500);
    await event(200);
    await sweep();
    expect(got('webhook.recovered', id)).toEqual([]);
  });

  it('causes webhook.disabled after days of failures, which the sweep publishes if the queue fails', async () => {
    const { id, event, key } = await hook('post.deleted');
    await event(500);
    await tamper(key, { ...(await record(id)), warned_at: new Date().toISOString() });
    pass((defaultSettings.deliveries.disableAfterDays + 1) * day);
    status = 500;
    await publish('post.deleted');
    stack.faults.set({ faults: [{ fault: 'error', function: 'deliveries/deliver', service: 'sqs' }] });
    await drain();
    stack.faults.set({ faults: [] });
    status = 200;
    expect(got('webhook.disabled', id)).toEqual([]);
    pass(10 * minute);
    await sweep();
    expect(got('webhook.disabled', id)).toMatchObject([
      { webhook: { current: { id, status: 'disabled', reason: 'failing' } } },
    ]);
  });
});

describe('a webhook that is disabled and enabled', () => {
  const post = (verb: 'disable' | 'enable', id: string) =>
    stack.call(`webhooks/${verb}`, { path: `/admin/webhooks/${id}/${verb}/`, key: keys.integration });

  it('by request causes an event each time, and a PUT does not enable the webhook', async () => {
    const { id } = await hook('tag.added');
    await post('disable', id);
    await sweep();
    expect(got('webhook.disabled', id)).toMatchObject([{ webhook: { current: { reason: 'request' } } }]);
    pass(minute);
    await update(id, { name: null, target_url: newUrl() }, keys.integration);
    await sweep();
    expect(got('webhook.recovered', id)).toEqual([]);
    await post('enable', id);
    pass(minute);
    await sweep();
    expect(got('webhook.recovered', id)).toHaveLength(1);
    expect(await record(id)).not.toHaveProperty('due');
  });
});

describe('the event delivery.failed', () => {
  it('is published once, and contains the delivery as the log shows it', async () => {
    const { id, event } = await hook('page.added');
    await event(500);
    expect(await row(id)).toMatchObject({ status: 'failed' });
    pass(10 * minute);
    await sweep();
    const answer = await stack.call('deliveries/list', { path: `/admin/webhooks/${id}/deliveries/`, key: keys.owner });
    expect(got('delivery.failed', id)).toEqual([
      { event: 'delivery.failed', delivery: { current: answer.body.deliveries[0], previous: {} } },
    ]);
    expect(await row(id)).not.toHaveProperty('due_at');
  });

  it('needs no write for a successful delivery', async () => {
    const { id, event } = await hook('page.edited');
    await event(200);
    expect(await row(id)).not.toHaveProperty('due');
    expect(await record(id)).not.toHaveProperty('due');
  });

  it('is not published for a failed delivery of an operational event', async () => {
    const { id } = await webhook(`${receiver.origin}/${hooks++}`, { event: 'delivery.failed' });
    const { event } = await hook('page.deleted');
    status = 500;
    await event(500);
    status = 500;
    await sweep();
    status = 200;
    expect(await row(id)).toMatchObject({ status: 'failed' });
    expect(await row(id)).not.toHaveProperty('due');
    await sweep();
    expect(got('delivery.failed', id)).toEqual([]);
    await stack.call('webhooks/delete', { path: `/admin/webhooks/${id}/`, key: keys.integration });
  });
});

it('an operational event is not delivered to the webhook that it reports on', async () => {
  const id = heard['webhook.disabled'] ?? '';
  await stack.call('webhooks/disable', { path: `/admin/webhooks/${id}/disable/`, key: keys.integration });
  await sweep();
  const other = await webhook(`${listener.origin}/webhook.recovered-too`, { event: 'webhook.recovered' });
  await stack.call('webhooks/enable', { path: `/admin/webhooks/${id}/enable/`, key: keys.integration });
  pass(minute);
  await sweep();
  expect(got('webhook.disabled', id)).toEqual([]);
  expect(got('webhook.recovered', id)).toHaveLength(1);
  expect(other.id).not.toBe(id);
});
