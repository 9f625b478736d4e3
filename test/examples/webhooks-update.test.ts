/** `PUT /admin/webhooks/{id}/` with a mocked table: the handler, one webhook, one request. */
import './environment.ts';

import { expect, it } from 'vitest';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { webhookKey } from '../../shared/webhooks/table-keys.ts';
import { apiEvent, lambdaContext } from '../support/parts-event.ts';
import { asIntegration, fakeTable, integrationId } from './table-fake.ts';

const id = '6'.repeat(24) as WebhookId;
const webhook = {
  ...webhookKey(id),
  id,
  event: 'post.published',
  target_url: 'https://example.com/hook',
  name: 'Before',
  secret: 's3cret',
  api_version: 'v6',
  integration_id: integrationId,
  status: 'available',
  last_triggered_at: null,
  last_triggered_status: null,
  last_triggered_error: null,
  created_at: '2026-11-01T09:00:00.000Z',
  updated_at: '2026-11-01T09:00:00.000Z',
};
const table = fakeTable(webhook);
const { handler } = await import('../../functions/webhooks/update.ts');

const put = (changes: object) => {
  const request = {
    method: 'PUT',
    path: `/admin/webhooks/${id}/`,
    headers: asIntegration(),
    body: { webhooks: [changes] },
  };
  return handler(apiEvent(request, '/admin/webhooks/{id}/', '/ghost/api'), lambdaContext('webhooks/update', 10));
};

it('an update renames the webhook and keeps the fields that the request omits', async () => {
  const answer = await put({ name: 'After' });
  expect(answer.statusCode).toBe(200);
  expect(JSON.parse(answer.body).webhooks[0]).toMatchObject({ id, name: 'After', target_url: webhook.target_url });
  expect(table.written()).toContain('After');
});

it('an update is refused if the target is not a URL, and writes nothing', async () => {
  const before = [table.written(), table.updates()];
  const answer = await put({ target_url: 'example.com' });
  expect(answer.statusCode).toBe(422);
  expect(JSON.parse(answer.body).errors[0]).toMatchObject({ type: 'ValidationError', property: 'target_url' });
  expect([table.written(), table.updates()]).toEqual(before);
});
