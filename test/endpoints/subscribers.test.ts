/** The subscribers of an event as the fan-out reads them: each webhook once. */
import { afterEach, expect, it } from 'vitest';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import type { Webhook } from '../../shared/webhooks/webhook.ts';
import { freshStack } from '../support/parts.ts';
import { newUrl, webhookCalls } from '../support/webhooks.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { existing, update, remove } = webhookCalls(stack);
const { listSubscribers } = await import('../../shared/webhooks/subscriptions.ts');

const added: Webhook[] = [];
const add = async (): Promise<Webhook> => {
  const webhook = (await existing(keys.integration)) as Webhook;
  added.push(webhook);
  return webhook;
};
const subscribers = async () => (await listSubscribers('site.changed', 100, undefined)).subscribers;

afterEach(async () => {
  for (const { id } of added.splice(0)) await remove(id, keys.integration);
});

it('every webhook is returned once, even if target URLs change between two pages', async () => {
  for (let index = 0; index < 12; index++) await add();
  const met: string[] = [];
  let after: WebhookId | undefined;
  do {
    const page = await listSubscribers('site.changed', 2, after);
    met.push(...page.subscribers.map(({ webhook_id }) => webhook_id));
    after = page.next;
    for (const { id } of added) await update(id, { target_url: newUrl() }, keys.integration);
  } while (after !== undefined);
  expect(met.sort()).toEqual(added.map(({ id }) => id).sort());
});

it('a webhook is subscribed from its creation to its deletion', async () => {
  const { id, integration_id } = await add();
  expect(await subscribers()).toEqual([expect.objectContaining({ webhook_id: id, integration_id })]);
  await remove(id, keys.integration);
  expect(await subscribers()).toEqual([]);
});
