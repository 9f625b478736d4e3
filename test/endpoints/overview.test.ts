/** `GET /admin/overview/` has in one answer what the lists and the statistics say, and counts what their lists have. */
import { describe, expect, it } from 'vitest';
import { deliveryTools } from '../support/deliveries.ts';
import { freshStack } from '../support/parts.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { webhook, publish } = deliveryTools(stack, keys);

const get = async (name: Parameters<typeof stack.call>[0], path: string, key = keys.owner) =>
  stack.call(name, { path, key });
const read = async (query = '') => (await get('overview/read', `/admin/overview/${query}`)).body.overview;

describe('GET /admin/overview/', () => {
  it('counts what is held, and no longer what was sent again', async () => {
    const { id } = await webhook('https://holds.example.org/');
    await stack.call('webhooks/disable', { path: `/admin/webhooks/${id}/disable/`, key: keys.owner });
    for (const title of ['One', 'Two']) await publish('post.published', { title });
    for (const queue of ['events', 'deliveries', 'slow-deliveries'] as const) await stack.drain(queue);
    expect((await read()).undelivered).toEqual({
      retrying: { count: 0, has_more: false },
      held: { count: 2, has_more: false },
      failed: { count: 0, has_more: false },
    });
    const { body } = await get('deliveries/list-all', '/admin/deliveries/?status=held');
    expect(body.deliveries).toHaveLength(2);
    const [{ id: first, event_id }] = body.deliveries;
    const path = `/admin/webhooks/${id}/deliveries/${first}/redeliver/`;
    await stack.call('deliveries/redeliver', { path, key: keys.owner });
    expect((await read()).undelivered.held).toEqual({ count: 1, has_more: false });
    const ofEvent = await get('deliveries/list-all', `/admin/deliveries/?status=held&event_id=${event_id}`);
    expect(ofEvent.body.deliveries).toEqual([]);
  });

  it('has integrations with webhooks, relays, bounced invites and statistics as their lists do', async () => {
    const [{ integrations, relays, bounced, stats, environment }, list, config] = [
      await read('?period=hour'),
      await get('integrations/list', '/admin/integrations/?include=webhooks'),
      await get('config/read', '/admin/config/'),
    ];
    expect(integrations).toEqual(list.body.integrations);
    expect(integrations.flatMap(({ webhooks }: { webhooks: unknown[] }) => webhooks)).toHaveLength(1);
    expect(relays).toEqual((await get('relays/list', '/admin/relays/')).body.relays);
    expect(bounced).toEqual((await get('invites/list', '/admin/invites/?status=bounced')).body.invites);
    expect(stats.period).toBe('hour');
    expect(environment).toBe(config.body.config.environment);
  });

  it('knows that somebody was invited by a colleague who has used the stage, and by an invite', async () => {
    expect((await read()).invited).toBe(false);
    const [{ id }] = (await get('users/read', '/admin/users/me/', keys.staff.Author)).body.users;
    expect((await read()).invited).toBe(true);
    await stack.call('users/delete', { path: `/admin/users/${id}/`, key: keys.owner });
    expect((await read()).invited).toBe(false);
    const [{ id: role_id }] = (await get('roles/list', '/admin/roles/?permissions=assign')).body.roles;
    const invite = { email: 'first@example.org', role_id };
    await stack.call('invites/create', { path: '/admin/invites/', key: keys.owner, body: { invites: [invite] } });
    expect((await read()).invited).toBe(true);
  });

  it('is for the Owner and Administrators', async () => {
    for (const key of [keys.integration, keys.staff.Editor])
      expect((await get('overview/read', '/admin/overview/', key)).status).toBe(403);
  });
});
