/** Seeding a stage creates what is missing, changes nothing else, and logs no key. */
import { expect, it } from 'vitest';
import { integrationKey } from '../../shared/accounts/integration-guard.ts';
import { setAttribute } from '../support/invites.ts';
import { freshStack } from '../support/parts.ts';

const stack = await freshStack();
const key = { id: 'a'.repeat(24), secret: 'b'.repeat(64) };
const owner = { email: 'owner@example.com', name: 'Olive', role: 'Owner', key };

it('seeding creates a key that works, and seeding again creates nothing', async () => {
  await stack.invoke('setup/seed', { staff: [owner] });
  await stack.invoke('setup/seed', { staff: [{ ...owner, name: 'Another name' }] });

  const answer = await stack.call('roles/list', { path: '/admin/roles/', key: `${key.id}:${key.secret}` });

  expect(answer.status).toBe(200);
  expect(answer.body.roles).toHaveLength(10);
});

it('seeding adds another key to the member whose address is known', async () => {
  const second = { id: 'c'.repeat(24), secret: 'd'.repeat(64) };

  await stack.invoke('setup/seed', { staff: [{ ...owner, email: 'OWNER@example.com', key: second }] });
  const answer = await stack.call('roles/list', { path: '/admin/roles/', key: `${second.id}:${second.secret}` });

  expect(answer.status).toBe(200);
});

it("seeding the first member again from another machine changes nothing and returns the Owner's address", async () => {
  const elsewhere = { id: 'e'.repeat(24), secret: 'f'.repeat(64) };
  const first = (staff: object) => stack.invoke('setup/seed', { staff: [staff], onlyFirst: true });

  const refused = { seeded: { staff: 0, integrations: 0 }, owner: owner.email };
  expect(await first({ ...owner, key: elsewhere })).toEqual(refused);
  expect(await first({ ...owner, email: 'second@example.com', key: elsewhere })).toEqual(refused);
  const answer = await stack.call('roles/list', {
    path: '/admin/roles/',
    key: `${elsewhere.id}:${elsewhere.secret}`,
  });
  expect(answer.status).toBe(401);
  // An existing key is accepted, because an interrupted run is repeated.
  expect(await first(owner)).toEqual({ seeded: { staff: 1, integrations: 0 } });
});

it('seeding gives an integration no key while it is being deleted', async () => {
  const seeded = (id: string) => ({
    name: 'Shop',
    canPublish: true,
    key: { id: id.repeat(24), secret: 'a'.repeat(64) },
  });
  const usedBy = (id: string) =>
    stack.call('roles/list', { path: '/admin/roles/', key: `${id.repeat(24)}:${'a'.repeat(64)}` });
  await stack.invoke('setup/seed', { integrations: [seeded('1')] });
  expect((await usedBy('1')).status).toBe(200);
  const list = await stack.call('integrations/list', {
    path: '/admin/integrations/',
    key: `${key.id}:${key.secret}`,
  });
  const [{ id }] = list.body.integrations;
  await setAttribute(stack, integrationKey(id), 'deleting_since', new Date().toISOString());
  await stack.invoke('setup/seed', { integrations: [seeded('2')] });
  expect((await usedBy('2')).status).toBe(401);
});

it('an error names the invalid fields without their values, which may be secret', async () => {
  const secret = 'not-hex-but-secret';

  const failure = stack.invoke('setup/seed', { staff: [{ ...owner, key: { ...key, secret } }] });

  await expect(failure).rejects.toThrow('staff.0.key.secret (regex)');
  await expect(failure).rejects.not.toThrow(secret);
});
