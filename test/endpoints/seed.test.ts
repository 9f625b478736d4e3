/** Seeding a stage: what is absent is put, what is there stays, and no key is told to the log. */
import { expect, it } from 'vitest';
import { freshStack } from '../support/parts.ts';

const stack = await freshStack();
const key = { id: 'a'.repeat(24), secret: 'b'.repeat(64) };
const owner = { email: 'owner@example.com', name: 'Olive', role: 'Owner', key };

it('makes a key that works, and makes nothing twice', async () => {
  await stack.invoke('setup/seed', { staff: [owner] });
  await stack.invoke('setup/seed', { staff: [{ ...owner, name: 'Somebody else' }] });

  const answer = await stack.call('roles/list', { path: '/admin/roles/', key: `${key.id}:${key.secret}` });

  expect(answer.status).toBe(200);
  expect(answer.body.roles).toHaveLength(10);
});

it('gives a second key to the member who has the address already', async () => {
  const second = { id: 'c'.repeat(24), secret: 'd'.repeat(64) };

  await stack.invoke('setup/seed', { staff: [{ ...owner, email: 'OWNER@example.com', key: second }] });
  const answer = await stack.call('roles/list', { path: '/admin/roles/', key: `${second.id}:${second.secret}` });

  expect(answer.status).toBe(200);
});

it('tells a key that was made elsewhere whose stage it is, and puts nothing', async () => {
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
  // The key that is there may come again, since a run that was stopped is repeated.
  expect(await first(owner)).toEqual({ seeded: { staff: 1, integrations: 0 } });
});

it('names what does not fit without repeating it, since it may be a secret', async () => {
  const secret = 'not-hex-but-secret';

  const failure = stack.invoke('setup/seed', { staff: [{ ...owner, key: { ...key, secret } }] });

  await expect(failure).rejects.toThrow('staff.0.key.secret (regex)');
  await expect(failure).rejects.not.toThrow(secret);
});
