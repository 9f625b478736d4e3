/** The log shows why a delivery waits, and until when. */
import { afterEach, describe, expect, it } from 'vitest';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { webhookKey } from '../../shared/webhooks/table-keys.ts';
import { deliveryTools } from '../support/deliveries.ts';
import { freshStack } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { webhook, messagesFor, attempt, tamper } = deliveryTools(stack, keys);

const open: { close(): void }[] = [];
afterEach(() => {
  for (const receiver of open.splice(0)) receiver.close();
});

/** Creates a webhook with its own receiver, and reads its newest delivery from the API. */
const hook = async () => {
  const behaviour = { status: 500, headers: {} as Record<string, string> };
  const receiver = await receiveWebhooks((response) => {
    response.writeHead(behaviour.status, behaviour.headers);
    response.end();
  });
  open.push(receiver);
  const { id } = await webhook(`${receiver.origin}/hook`);
  const path = `/admin/webhooks/${id}/deliveries/`;
  return {
    id,
    behaviour,
    arrived: receiver.deliveries,
    event: async () => {
      const message = (await messagesFor()).find(({ webhook_id }) => webhook_id === id);
      if (message === undefined) throw new Error('The webhook has no message.');
      await attempt(message);
      return message;
    },
    shown: async () => {
      const [listed] = (await stack.call('deliveries/list', { path, key: keys.integration })).body.deliveries;
      const one = await stack.call('deliveries/read', { path: `${path}${listed.id}/`, key: keys.integration });
      expect(one.body.deliveries[0].waiting_for).toEqual(listed.waiting_for);
      return listed;
    },
  };
};

describe('the log shows that a delivery waits for', () => {
  it('the next attempt of the retry schedule', async () => {
    const { event, shown } = await hook();
    await event();
    const { next_attempt_at, waiting_for } = await shown();
    expect(waiting_for).toEqual({ reason: 'schedule', until: next_attempt_at });
  });

  it('the time that its receiver requested', async () => {
    const { behaviour, event, shown } = await hook();
    behaviour.headers = { 'Retry-After': '3600' };
    const began = Date.now();
    await event();
    const { status, waiting_for } = await shown();
    expect(status).toBe('retrying');
    expect(waiting_for.reason).toBe('retry_after');
    expect(Math.round((Date.parse(waiting_for.until) - began) / 60_000)).toBe(60);
  });

  it('its webhook to be enabled, without a time', async () => {
    const { id, event, shown } = await hook();
    await tamper(webhookKey(id as WebhookId), { status: 'disabled' });
    await event();
    expect(await shown()).toMatchObject({ status: 'held', waiting_for: { reason: 'disabled', until: null } });
  });

  it('nothing once it is delivered', async () => {
    const { behaviour, event, shown } = await hook();
    behaviour.status = 200;
    await event();
    expect(await shown()).toMatchObject({ status: 'delivered', waiting_for: null });
  });
});
