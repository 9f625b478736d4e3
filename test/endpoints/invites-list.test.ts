/** Reading invites: the list and its pages, and a single invite with its history (docs/compatibility.md, "Invites"). */
import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { inviteResource, inviteStates } from '../../shared/invites/resource.ts';
import { expectRefusal } from '../support/envelope.ts';
import { inviting, newAddress } from '../support/invites.ts';
import { freshStack } from '../support/parts.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { accept, inviteOne, inviteAndMail, read, revoke, set, statusOf } = await inviting(stack, keys);

const list = (query = '', key = keys.owner) => stack.call('invites/list', { path: `/admin/invites/${query}`, key });
const readBare = (id: string, key = keys.owner) => stack.call('invites/read', { path: `/admin/invites/${id}/`, key });
const idsIn = (answer: { body: { invites: readonly { id: string }[] } }) => answer.body.invites.map(({ id }) => id);

const ids: Record<string, string> = {};
beforeAll(async () => {
  for (const status of ['sent', 'accepted', 'bounced', 'complained', 'expired', 'revoked', 'replaced']) {
    const email = newAddress();
    const { id, token } = await inviteAndMail(email);
    ids[status] = id;
    if (status === 'accepted') await accept(token);
    if (status === 'bounced' || status === 'complained') await set(id, 'status', status);
    if (status === 'expired') await set(id, 'expires', Date.now() - 1000);
    if (status === 'revoked') await revoke(id);
    if (status === 'replaced') ids.newer = (await inviteAndMail(email, keys.staff.Administrator)).id;
  }
  ids.pending = (await inviteOne(newAddress())).id;
});

describe('GET /admin/invites/', () => {
  it('lists all invites except revoked and replaced ones, newest first', async () => {
    const answer = await list();
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body)).toEqual(['invites', 'meta']);
    expect(answer.body.meta).toEqual({ pagination: { limit: 100, next: null } });
    const { pending, newer, expired, complained, bounced, accepted, sent } = ids;
    expect(idsIn(answer)).toEqual([pending, newer, expired, complained, bounced, accepted, sent]);
    for (const one of answer.body.invites) expect(Object.keys(v.parse(inviteResource, one))).toHaveLength(7);
  });

  it.each(inviteStates)('lists %s invites', async (status) => {
    const answer = await list(`?status=${status}`);
    const expected = status === 'sent' ? [ids.newer, ids.sent] : [ids[status]];
    expect(idsIn(answer)).toEqual(expected);
    for (const one of answer.body.invites) expect(one.status).toBe(status);
  });

  it('includes the history of each invite if asked, even of revoked ones', async () => {
    const answer = await list('?status=revoked&include=history');
    const [{ history }] = answer.body.invites;
    expect(history.map(({ status }: { status: string }) => status)).toEqual(['pending', 'sent', 'revoked']);
    expect((await list('?status=revoked')).body.invites[0]).not.toHaveProperty('history');
  });

  it('lists an invite as replaced as soon as its address is invited again', async () => {
    await set(ids.replaced ?? '', 'status', 'sent');
    expect(idsIn(await list('?status=replaced'))).toEqual([ids.replaced]);
    expect(idsIn(await list())).not.toContain(ids.replaced);
    expect((await readBare(ids.replaced ?? '')).status).toBe(404);
  });

  it('returns every invite once, page by page', async () => {
    const all = idsIn(await list());
    const found: string[] = [];
    let next: string | null = null;
    do {
      const answer = await list(`?limit=2${next === null ? '' : `&cursor=${encodeURIComponent(next)}`}`);
      expect(answer.body.meta.pagination.limit).toBe(2);
      found.push(...idsIn(answer));
      next = answer.body.meta.pagination.next;
    } while (next !== null);
    expect(found).toEqual(all);
  });

  it('has no next page after a full last page', async () => {
    const all = idsIn(await list());
    const answer = await list(`?limit=${all.length}`);
    expect(idsIn(answer)).toEqual(all);
    expect(answer.body.meta.pagination.next).toBeNull();
  });

  it('returns 422 for an invented cursor, and for a cursor of another list or of other filters', async () => {
    const { next } = (await list('?limit=1')).body.meta.pagination;
    const other = Buffer.from(JSON.stringify(['deliveries', ids.sent])).toString('base64url');
    const noId = Buffer.from(JSON.stringify(['invites ', 'x'])).toString('base64url');
    for (const query of [
      '?cursor=x',
      `?cursor=${ids.sent}`,
      `?cursor=${other}`,
      `?cursor=${noId}`,
      `?status=sent&cursor=${next}`,
    ])
      expectRefusal(await list(query), { status: 422, type: 'ValidationError', property: 'cursor' });
  });

  it('returns 422 for an invalid limit or status', async () => {
    for (const limit of ['0', '101', '-1', '1.5', 'x', ''])
      expectRefusal(await list(`?limit=${limit}`), { status: 422, type: 'ValidationError', property: 'limit' });
    expectRefusal(await list('?status=lost'), { status: 422, type: 'ValidationError', property: 'status' });
  });
});

describe('GET /admin/invites/{id}/', () => {
  it('returns the invite with the fields of the response that created it', async () => {
    const made = await inviteOne(newAddress());
    const answer = await readBare(made.id);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ invites: [made] });
  });

  it('includes all states with their times if asked by include=history', async () => {
    const { id } = await inviteAndMail(newAddress());
    const [found] = (await read(id)).body.invites;
    v.parse(inviteResource, found);
    expect(found.history).toEqual([
      { status: 'pending', at: found.created_at, reason: null },
      { status: 'sent', at: found.updated_at, reason: null },
    ]);
  });

  it('returns accepted, bounced and expired invites, and the time at which an invite expired', async () => {
    for (const status of ['accepted', 'bounced', 'expired']) expect(await statusOf(ids[status] ?? '')).toBe(status);
    const [expired] = (await read(ids.expired ?? '')).body.invites;
    expect(expired.history.at(-1)).toEqual({
      status: 'expired',
      at: new Date(expired.expires).toISOString(),
      reason: null,
    });
    expect(expired.updated_at).toBe(new Date(expired.expires).toISOString());
  });

  it('returns 404 for an unknown, revoked or replaced invite', async () => {
    for (const id of ['0123456789abcdef01234567', ids.revoked, ids.replaced])
      expectRefusal(await readBare(id ?? ''), { status: 404, type: 'NotFoundError' });
  });

  it('returns 422 for a malformed id', async () => {
    expectRefusal(await readBare('xyz'), { status: 422, type: 'ValidationError', property: 'id' });
  });
});
