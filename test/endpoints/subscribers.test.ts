/** The subscribers of an event as the fan-out reads them: each webhook once, with its lane. */
import { afterEach, expect, it } from 'vitest';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import type { Webhook } from '../../shared/webhooks/webhook.ts';
import { freshStack } from '../support/parts.ts';
import { newUrl, webhookCalls } from '../support/webhooks.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { existing, update, remove } = webhookCalls(stack);
const { listSubscribers, setLane } = await import('../../shared/webhooks/subscriptions.ts');

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

it('a new webhook is in the normal lane', async () => {
  const { id } = await add();
  expect(await subscribers()).toEqual([expect.objectContaining({ webhook_id: id })]);
  expect((await subscribers())[0]?.lane).toBeUndefined();
});

it('a webhook in the slow lane stays there until its lane is set to normal', async () => {
  const webhook = await add();
  expect(await setLane(webhook, 'slow')).toBe(true);
  expect((await subscribers())[0]?.lane).toBe('slow');
  await update(webhook.id, { name: 'Another name' }, keys.integration);
  expect((await subscribers())[0]?.lane).toBe('slow');
  expect(await setLane(webhook, 'normal')).toBe(true);
  expect((await subscribers())[0]?.lane).toBeUndefined();
});

it('a webhook with a new target is in the normal lane', async () => {
  const webhook = await add();
  await setLane(webhook, 'slow');
  await update(webhook.id, { target_url: newUrl() }, keys.integration);
  expect((await subscribers())[0]?.lane).toBeUndefined();
});

it('a deleted webhook is not subscribed again when its lane is set', async () => {
  const webhook = await add();
  await remove(webhook.id, keys.integration);
  expect(await setLane(webhook, 'slow')).toBe(false);
  expect(await subscribers()).toEqual([]);
});
