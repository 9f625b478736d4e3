/** Webhooks of an integration get only events about its own webhooks and, with a permission, about staff. */
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { deliveryTools } from '../support/deliveries.ts';
import { expectRefusal } from '../support/envelope.ts';
import { inviting, newAddress } from '../support/invites.ts';
import { freshStack } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';
import { allowStaffEvents } from '../support/staff-events.ts';

const stack = await freshStack({ deliveries: { retryAfterSeconds: [0] } });
const keys = await stack.seed();
const { publish } = deliveryTools(stack, keys);
const { accept, inviteAndMail } = await inviting(stack, keys);
let status = 200;
const receiver = await receiveWebhooks((response) => {
  response.writeHead(status);
  response.end();
});
afterAll(() => receiver.close());
beforeEach(() => {
  status = 200;
});

let paths = 0;
const create = (key: string, event: string, fields: object = {}) =>
  stack.call('webhooks/create', {
    path: '/admin/webhooks/',
    key,
    body: { webhooks: [{ event, target_url: `${receiver.origin}/${paths++}`, ...fields }] },
  });
const listener = async (key: string, event: string) => {
  const answer = await create(key, event);
  expect(answer.status).toBe(201);
  const { id, target_url, integration_id } = answer.body.webhooks[0];
  const { pathname } = new URL(target_url);
  return { id, integration_id, got: () => receiver.deliveries.filter(({ path }) => path === pathname) };
};
const drain = async () => {
  for (let round = 0; round < 3; round++)
    for (const queue of ['mail', 'events', 'deliveries', 'slow-deliveries'] as const) await stack.drain(queue);
};
const sweep = async () => {
  await stack.invoke('due/sweep', {});
  await drain();
};
const change = (action: 'disable' | 'enable', id: string) =>
  stack.call(`webhooks/${action}`, { path: `/admin/webhooks/${id}/${action}/`, key: keys.owner });
const addMember = async (): Promise<string> => {
  const email = newAddress();
  const { token } = await inviteAndMail(email);
  await accept(token);
  return email;
};

describe('an event about a webhook', () => {
  it('goes only to the integration that the webhook belongs to', async () => {
    const own = await listener(keys.integration, 'webhook.disabled');
    const foreign = await listener(keys.otherIntegration, 'webhook.disabled');
    const { id } = await listener(keys.integration, 'post.edited');
    await change('disable', id);
    await sweep();
    expect(own.got()).toHaveLength(1);
    expect(foreign.got()).toEqual([]);
  });

  it('goes to a webhook of the same integration that subscribed with a PUT', async () => {
    const { id, got } = await listener(keys.integration, 'post.added');
    const body = { webhooks: [{ event: 'webhook.recovered' }] };
    await stack.call('webhooks/update', { path: `/admin/webhooks/${id}/`, key: keys.integration, body });
    const subject = await listener(keys.integration, 'page.edited');
    await change('disable', subject.id);
    await change('enable', subject.id);
    await sweep();
    expect(got()).toHaveLength(1);
  });
});

it('the failure of a delivery is reported only to the integration of its webhook', async () => {
  const own = await listener(keys.integration, 'delivery.failed');
  const foreign = await listener(keys.otherIntegration, 'delivery.failed');
  const { id } = await listener(keys.integration, 'tag.added');
  status = 500;
  await publish('tag.added');
  await drain();
  status = 200;
  await sweep();
  expect(own.got().map(({ body }) => JSON.parse(body).delivery.current.webhook_id)).toEqual([id]);
  expect(foreign.got()).toEqual([]);
});

describe('an event about staff', () => {
  it.each(['staff.added', 'staff.removed', 'staff.role.changed'])(
    'cannot be subscribed to without the permission: %s',
    async (event) => {
      await allowStaffEvents(stack, keys, false);
      const { integration_id } = await listener(keys.integration, 'page.added');
      const refusal = { status: 403, type: 'NoPermissionError', property: 'event' };
      expectRefusal(await create(keys.integration, event), refusal);
      expectRefusal(await create(keys.owner, event, { integration_id }), refusal);
      const { id } = await listener(keys.integration, 'page.deleted');
      const body = { webhooks: [{ event }] };
      const changed = await stack.call('webhooks/update', {
        path: `/admin/webhooks/${id}/`,
        key: keys.integration,
        body,
      });
      expectRefusal(changed, refusal);
    },
  );

  it('reaches an integration with the permission until the permission is revoked', async () => {
    await allowStaffEvents(stack, keys);
    const { got } = await listener(keys.integration, 'staff.added');
    const first = await addMember();
    await drain();
    expect(got().map(({ body }) => JSON.parse(body).staff.current.email)).toEqual([first]);
    await allowStaffEvents(stack, keys, false);
    await addMember();
    await drain();
    expect(got()).toHaveLength(1);
    await allowStaffEvents(stack, keys);
    await addMember();
    await drain();
    expect(got()).toHaveLength(2);
  });

  it('is not sent if the permission was revoked while the delivery was waiting', async () => {
    await allowStaffEvents(stack, keys);
    const { id, got } = await listener(keys.integration, 'staff.added');
    await addMember();
    await stack.drain('events');
    await allowStaffEvents(stack, keys, false);
    await drain();
    expect(got()).toEqual([]);
    const path = `/admin/webhooks/${id}/deliveries/`;
    const log = await stack.call('deliveries/list', { path, key: keys.owner });
    expect(log.body.deliveries).toMatchObject([{ event: 'staff.added', status: 'cancelled', attempts: 0 }]);
  });
});

describe('after the permission was revoked, an event about staff', () => {
  /** Creates a webhook to which one event was sent, or is still to be sent, and then revokes the permission. */
  const revoked = async (isSent: boolean) => {
    await allowStaffEvents(stack, keys);
    const { id } = await listener(keys.integration, 'staff.added');
    const email = await addMember();
    await (isSent ? drain() : stack.drain('events'));
    await change('disable', id);
    await drain();
    await allowStaffEvents(stack, keys, false);
    const path = `/admin/webhooks/${id}/deliveries/`;
    const [delivery] = (await stack.call('deliveries/list', { path, key: keys.owner })).body.deliveries;
    expect(delivery).toMatchObject({ event: 'staff.added', attempts: isSent ? 1 : 0 });
    return { id, email, delivery };
  };
  const refusal = { status: 403, type: 'NoPermissionError', property: 'event' };

  it('cannot be previewed with the key of the integration, but can be by the Owner', async () => {
    const { id, email, delivery } = await revoked(false);
    const { event_id } = delivery;
    const target_url = 'https://hooks.example.org/';
    const preview = (key: string, more: object) =>
      stack.call('webhooks/preview', {
        path: '/admin/webhooks/preview/',
        key,
        body: { previews: [{ event: 'staff.added', event_id, target_url, ...more }] },
      });
    for (const more of [{}, { webhook_id: id }]) expectRefusal(await preview(keys.integration, more), refusal);
    const shown = await preview(keys.owner, { webhook_id: id });
    expect(shown.body.previews[0].body).toContain(email);
  });

  it('is left out of the trials of a filter, except for the Owner', async () => {
    const { id, delivery } = await revoked(false);
    const body = { trials: [{ filter: { staff: { current: { name: [{ exists: true }] } } } }] };
    const tryFilter = (key: string) =>
      stack.call('webhooks/try-filter', { path: `/admin/webhooks/${id}/trial/`, key, body });
    expectRefusal(await tryFilter(keys.integration), refusal);
    expect((await tryFilter(keys.owner)).body.trials[0].events).toMatchObject([{ event_id: delivery.event_id }]);
  });

  it('is not shown in the log of its delivery, except to the Owner', async () => {
    const { id, email, delivery } = await revoked(true);
    const read = async (key: string) => {
      const path = `/admin/webhooks/${id}/deliveries/${delivery.id}/`;
      return (await stack.call('deliveries/read', { path, key })).body.deliveries[0];
    };
    expect(await read(keys.integration)).toMatchObject({ id: delivery.id, request: null });
    expect((await read(keys.owner)).request.body).toContain(email);
  });
});

it('only the Owner and Administrators can grant the permission', async () => {
  const { integration_id } = await listener(keys.integration, 'member.edited');
  const path = `/admin/integrations/${integration_id}/`;
  const body = { integrations: [{ can_receive_staff_events: true }] };
  for (const key of [keys.integration, keys.staff['Super Editor'] ?? ''])
    expectRefusal(await stack.call('integrations/update', { path, key, body }), {
      status: 403,
      type: 'NoPermissionError',
    });
  const granted = await stack.call('integrations/update', { path, key: keys.staff.Administrator ?? '', body });
  expect(granted.body.integrations[0].can_receive_staff_events).toBe(true);
});
