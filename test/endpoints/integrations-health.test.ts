/** Integrations show each webhook's last delivery, although a healthy webhook's record is written at most daily. */
import { afterAll, describe, expect, it } from 'vitest';
import { startReceiver } from '../support/loopback-receiver.ts';
import { freshStack } from '../support/parts.ts';

const stack = await freshStack();
const keys = await stack.seed();

const receiver = await startReceiver((_request, response) => response.end());
afterAll(receiver.close);

const publish = async (): Promise<void> => {
  const body = { events: [{ event: 'site.changed', payload: {} }] };
  expect((await stack.call('events/publish', { path: '/admin/events/', key: keys.owner, body })).status).toBe(202);
  for (const queue of ['events', 'deliveries', 'slow-deliveries'] as const) await stack.drain(queue);
};

const subscribe = async (): Promise<{ id: string; integration_id: string }> => {
  const answer = await stack.call('webhooks/create', {
    path: '/admin/webhooks/',
    key: keys.integration,
    body: { webhooks: [{ event: 'site.changed', target_url: `http://127.0.0.1:${receiver.port}/` }] },
  });
  return answer.body.webhooks[0];
};

describe('the webhooks of an integration', () => {
  it('are returned with their newest delivery', async () => {
    const { id, integration_id } = await subscribe();
    const path = `/admin/integrations/${integration_id}/?include=webhooks`;
    const read = async () => (await stack.call('integrations/read', { path, key: keys.owner })).body.integrations[0];
    expect((await read()).webhooks[0]).toMatchObject({ id, last_triggered_at: null, last_triggered_status: null });
    for (let events = 1; events <= 3; events++) {
      await publish();
      const log = await stack.call('deliveries/list', { path: `/admin/webhooks/${id}/deliveries/`, key: keys.owner });
      expect(log.body.deliveries).toHaveLength(events);
      const newest = {
        id,
        last_triggered_at: log.body.deliveries[0].last_attempt_at,
        last_triggered_status: '200',
        last_triggered_error: null,
      };
      const updated = await stack.call('integrations/update', {
        path,
        key: keys.owner,
        body: { integrations: [{ description: `after ${events}` }] },
      });
      const list = await stack.call('integrations/list', {
        path: '/admin/integrations/?include=webhooks',
        key: keys.owner,
      });
      const listed = list.body.integrations.find((one: { id: string }) => one.id === integration_id);
      for (const integration of [await read(), updated.body.integrations[0], listed])
        expect(integration.webhooks).toEqual([expect.objectContaining(newest)]);
    }
  });
});
