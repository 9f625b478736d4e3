/** Calls of the webhook endpoints for tests. */
import { randomBytes } from 'node:crypto';
import type { FreshStack, TestResponse } from './parts.ts';

export interface WebhookCalls {
  create(webhook: object, key: string): Promise<TestResponse>;
  update(id: string, webhook: object, key: string): Promise<TestResponse>;
  remove(id: string, key: string): Promise<TestResponse>;
  rotate(id: string, key: string): Promise<TestResponse>;
  /** Creates a webhook. Default: for `site.changed` and a new URL. */
  existing(key: string, webhook?: object): Promise<ExistingWebhook>;
}

export interface ExistingWebhook {
  readonly id: string;
  readonly event: string;
  readonly target_url: string;
  readonly integration_id: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The fields of a webhook in a response, in their order. */
export const webhookFields = [
  'id',
  'event',
  'target_url',
  'name',
  'secret',
  'api_version',
  'integration_id',
  'status',
  'last_triggered_at',
  'last_triggered_status',
  'last_triggered_error',
  'created_at',
  'updated_at',
];

/** Returns a URL that no other webhook has. */
export const newUrl = (): string => `https://example.com/${randomBytes(8).toString('hex')}`;

export const webhookCalls = (stack: FreshStack): WebhookCalls => {
  const create: WebhookCalls['create'] = (webhook, key) =>
    stack.call('webhooks/create', { path: '/admin/webhooks/', body: { webhooks: [webhook] }, key });
  return {
    create,
    update: (id, webhook, key) =>
      stack.call('webhooks/update', { path: `/admin/webhooks/${id}/`, body: { webhooks: [webhook] }, key }),
    remove: (id, key) => stack.call('webhooks/delete', { path: `/admin/webhooks/${id}/`, key }),
    rotate: (id, key) => stack.call('webhooks/rotate-secret', { path: `/admin/webhooks/${id}/secret/`, key }),
    async existing(key, webhook = {}) {
      const answer = await create({ event: 'site.changed', target_url: newUrl(), ...webhook }, key);
      if (answer.status !== 201) throw new Error(`The webhook was not created: ${answer.text}`);
      return answer.body.webhooks[0];
    },
  };
};
