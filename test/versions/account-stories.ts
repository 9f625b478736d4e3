/** Stories of keys, integrations, invites and staff members. */
import { expect } from 'vitest';
import { newAddress } from '../support/invites.ts';
import { bounced } from '../support/ses-events.ts';
import type { Story, TestWorld } from './world.ts';

export const accountStories = ({ stack, keys, tools, invites, arrivals, hook, drain }: TestWorld): readonly Story[] => {
  const statusWith = async (key: string) => (await stack.call('roles/list', { path: '/admin/roles/', key })).status;
  const addIntegration = async () => {
    const body = { integrations: [{ name: 'Shop' }] };
    const answer = await stack.call('integrations/create', { path: '/admin/integrations/', key: keys.owner, body });
    const [{ id, api_keys }] = answer.body.integrations;
    return { id, key: { id: api_keys[0].id, text: api_keys[0].secret } };
  };
  return [
    {
      title: 'a key that A created is accepted by B, and refused by A after B has replaced it',
      async play({ first, second }) {
        await first();
        const { id, key } = await addIntegration();
        await second();
        expect(await statusWith(key.text)).toBe(200);
        const path = `/admin/integrations/${id}/api_key/${key.id}/refresh/`;
        const answer = await stack.call('integrations/refresh-key', { path, key: keys.owner });
        expect(answer.status).toBe(200);
        await first();
        expect(await statusWith(answer.body.integrations[0].api_keys[0].secret)).toBe(200);
      },
    },
    {
      title: 'an integration of A with a webhook is listed and deleted by B, and unknown to A',
      async play({ first, second }) {
        await first();
        const { id, key } = await addIntegration();
        const { id: webhook } = await tools.webhook(`http://127.0.0.1/${id}`, {});
        const owned = await stack.call('webhooks/create', {
          path: '/admin/webhooks/',
          key: key.text,
          body: { webhooks: [{ event: 'post.published', target_url: `http://127.0.0.1/${id}/owned` }] },
        });
        await second();
        const read = { path: `/admin/integrations/${id}/?include=webhooks,api_keys`, key: keys.owner };
        expect((await stack.call('integrations/read', read)).body.integrations).toMatchObject([
          { webhooks: [{ id: owned.body.webhooks[0].id }], api_keys: [{ id: key.id }] },
        ]);
        const path = `/admin/integrations/${id}/`;
        const changed = { path, key: keys.owner, body: { integrations: [{ name: 'Renamed' }] } };
        expect((await stack.call('integrations/update', changed)).status).toBe(200);
        expect((await stack.call('integrations/delete', { path, key: keys.owner })).status).toBe(204);
        await first();
        expect(await statusWith(key.text)).toBe(401);
        expect((await stack.call('integrations/read', read)).status).toBe(404);
        await stack.call('webhooks/delete', { path: `/admin/webhooks/${webhook}/`, key: keys.integration });
      },
    },
    {
      title: 'an invite of A is mailed by B, resent by A, mailed by B, accepted by A, and its event delivered by B',
      async play({ first, second }) {
        await first();
        const { id: webhook, path } = await hook({ event: 'staff.added' });
        const email = newAddress();
        const { id } = await invites.inviteOne(email);
        await second();
        await drain('mail');
        expect(await invites.statusOf(id)).toBe('sent');
        await first();
        expect((await invites.resend(id)).status).toBe(200);
        await second();
        await drain('mail');
        const token = await invites.tokenFor(email);
        expect((await invites.open(token)).status).toBe(200);
        await first();
        expect((await invites.accept(token)).status).toBe(200);
        await second();
        expect(await invites.statusOf(id)).toBe('accepted');
        await drain('events');
        await drain('deliveries');
        expect(arrivals(path)).toHaveLength(1);
        await stack.call('webhooks/delete', { path: `/admin/webhooks/${webhook}/`, key: keys.integration });
      },
    },
    {
      title: 'an invite of A is replaced by one of B to the same address, and its link is dead for A',
      async play({ first, second }) {
        await first();
        const email = newAddress();
        const { token } = await invites.inviteAndMail(email);
        await second();
        const newer = await invites.inviteAndMail(email);
        await first();
        expect((await invites.accept(token)).status).toBe(404);
        expect((await invites.revoke(newer.id)).status).toBe(204);
        await second();
        expect((await invites.accept(newer.token)).status).toBe(404);
      },
    },
    {
      title: 'a bounce of a mail that A sent is recorded by B',
      async play({ first, second }) {
        await first();
        const { id } = await invites.inviteAndMail(newAddress());
        const { mailing } = await invites.stored(id);
        await second();
        await stack.invoke('invites/record-feedback', bounced({ invite: id, mailing }));
        await first();
        expect(await invites.statusOf(id)).toBe('bounced');
      },
    },
  ];
};
