/** Invites requested again, within two minutes or with an `Idempotency-Key` (docs/compatibility.md, "Invites"). */
import { DeleteCommand, DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { expectRefusal } from '../support/envelope.ts';
import { inviting, newAddress, setAttribute } from '../support/invites.ts';
import { freshStack } from '../support/parts.ts';

const stack = await freshStack();
const keys = await stack.seed();
const tools = await inviting(stack, keys);
const { roles, invite, set, stored } = tools;
const documents = DynamoDBDocumentClient.from(stack.dynamodb);

const author = (email = newAddress()) => ({ email, role_id: roles.Author });
const mailsTo = async (email: string) => {
  await stack.drain('mail');
  return (await stack.mailsTo(email)).length;
};
const idsOf = ({ body }: Awaited<ReturnType<typeof invite>>) => body.invites.map(({ id }: { id: string }) => id);

describe('an invite that is requested again within two minutes', () => {
  it('is returned with 201, is mailed once, and its link stays alive', async () => {
    const item = author();
    const first = await invite([item]);
    expect(await mailsTo(item.email)).toBe(1);
    const again = await invite([{ ...item, email: item.email.toUpperCase() }]);
    expect(again.status).toBe(201);
    expect(again.headers.location).toBe(first.headers.location);
    expect(again.body.invites).toEqual([{ ...first.body.invites[0], status: 'sent', updated_at: expect.any(String) }]);
    expect(await mailsTo(item.email)).toBe(1);
    expect((await tools.accept(await tools.tokenFor(item.email))).status).toBe(200);
  });

  it('is judged apart from the other items of the request', async () => {
    const item = author();
    const [id] = idsOf(await invite([item]));
    const [other, same] = idsOf(await invite([author(), item]));
    expect(same).toBe(id);
    expect(other).not.toBe(id);
    expect((await stored(id)).status).not.toBe('replaced');
  });

  it('uses up none of the mails that its address may get', async () => {
    const item = author();
    for (let request = 0; request < 7; request++) expect((await invite([item])).status).toBe(201);
    expect(await mailsTo(item.email)).toBe(1);
  });

  it('does not move the positions in the details of a refusal', async () => {
    const [item, limited] = [author(), author()];
    for (const role of ['Author', 'Editor', 'Author', 'Editor', 'Author'])
      await invite([{ email: limited.email, role_id: roles[role] }]);
    await invite([item]);
    const error = expectRefusal(await invite([item, { ...limited, role_id: roles.Editor }]), {
      status: 429,
      type: 'TooManyRequestsError',
      property: 'email',
    });
    expect(error.details?.map(({ index }) => index)).toEqual([1]);
  });

  it.each([
    ['another role', (email: string) => invite([{ email, role_id: roles.Editor }])],
    ['another inviter', (email: string) => invite([author(email)], keys.staff.Administrator)],
    ['an integration', (email: string) => invite([author(email)], keys.integration)],
    ['a link without mail', (email: string) => invite([{ ...author(email), send_email: false }])],
  ])('is replaced by one of %s', async (_what, again) => {
    const email = newAddress();
    const [id] = idsOf(await invite([author(email)]));
    expect(idsOf(await again(email))).not.toEqual([id]);
    expect((await stored(id)).status).toBe('replaced');
  });

  it.each([
    ['two minutes have passed', (id: string) => set(id, 'created_at', new Date(Date.now() - 120_000).toISOString())],
    ['its mail bounced', (id: string) => set(id, 'status', 'bounced')],
    ['it was revoked', (id: string) => tools.revoke(id)],
  ])('is a new one if %s', async (_when, change) => {
    const item = author();
    const [id] = idsOf(await invite([item]));
    await change(id);
    expect(idsOf(await invite([item]))).not.toEqual([id]);
  });

  it('is a new one if the first had a link without mail', async () => {
    const item = author();
    const [id] = idsOf(await invite([{ ...item, send_email: false }]));
    expect(idsOf(await invite([item]))).not.toEqual([id]);
    expect(await mailsTo(item.email)).toBe(1);
  });
});

describe('a request with an Idempotency-Key', () => {
  const send = (idempotencyKey: string, invites: readonly object[], key = keys.owner) =>
    stack.call('invites/create', {
      path: '/admin/invites/',
      key,
      headers: { 'Idempotency-Key': idempotencyKey },
      body: { invites },
    });
  let last = 0;
  const newKey = () => `request-${++last}`;

  /** Puts the table back to before the invites were written, and the time to a moment after the request's end. */
  const undo = async (ids: readonly string[], { ended }: { ended: boolean }) => {
    for (const id of ids)
      await documents.send(
        new DeleteCommand({ TableName: stack.tableName, Key: { pk: 'INVITES', sk: `INVITE#${id}` } }),
      );
    const { Items = [] } = await documents.send(new ScanCommand({ TableName: stack.tableName }));
    const item = Items.find((one) => one.sk === 'IDEMPOTENCY' && one.ids.includes(ids[0]));
    if (ended) await setAttribute(stack, { pk: item?.pk, sk: item?.sk }, 'claimed_until', 0);
  };

  it('returns the same invites again, without mail or link', async () => {
    const [key, items] = [newKey(), [author(), { ...author(), send_email: false }]];
    const first = await send(key, items);
    await Promise.all(idsOf(first).map((id: string) => set(id, 'created_at', new Date(0).toISOString())));
    const again = await send(key, items);
    expect(again.status).toBe(201);
    expect(idsOf(again)).toEqual(idsOf(first));
    expect(first.body.invites[1].link).toEqual(expect.any(String));
    expect(again.body.invites[1].link).toBeUndefined();
    expect(await mailsTo(items[0]?.email ?? '')).toBe(1);
  });

  it('returns them also after they were accepted', async () => {
    const [key, item] = [newKey(), author()];
    await send(key, [item]);
    await stack.drain('mail');
    await tools.accept(await tools.tokenFor(item.email));
    const again = await send(key, [item]);
    expect([again.status, again.body.invites[0].status]).toEqual([201, 'accepted']);
  });

  it('is refused with 422 if it was sent with other items', async () => {
    const [key, item] = [newKey(), author()];
    await send(key, [item]);
    const refusal = { status: 422, type: 'ValidationError', property: 'Idempotency-Key' };
    expectRefusal(await send(key, [{ ...item, role_id: roles.Editor }]), refusal);
    expectRefusal(await send(key, [item, author()]), refusal);
  });

  it('is known for its caller only', async () => {
    const [key, item] = [newKey(), author()];
    const first = await send(key, [item]);
    const others = await send(key, [author()], keys.integration);
    expect(others.status).toBe(201);
    expect(idsOf(others)).not.toEqual(idsOf(first));
  });

  it('can be corrected after a refusal', async () => {
    const key = newKey();
    expectRefusal(await send(key, [{ ...author(), role_id: 'none' }]), { status: 404, type: 'NotFoundError' });
    expect((await send(key, [author()])).status).toBe(201);
  });

  it('creates one invite however many are sent at the same time: the others get it, or 409', async () => {
    const [key, item] = [newKey(), author()];
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(key, [item])));
    const made = answers.filter(({ status }) => status === 201);
    expect(new Set(made.flatMap(idsOf)).size).toBe(1);
    for (const answer of answers)
      if (answer.status !== 201)
        expectRefusal(answer, { status: 409, type: 'ConflictError', property: 'Idempotency-Key' });
    expect(await mailsTo(item.email)).toBe(1);
  });

  it('is finished by a repeat if it ended before the invites were written, and is 409 before that', async () => {
    const [key, item] = [newKey(), author()];
    const ids = idsOf(await send(key, [item]));
    await undo(ids, { ended: false });
    expectRefusal(await send(key, [item]), { status: 409, type: 'ConflictError' });
    await undo(ids, { ended: true });
    const [id] = idsOf(await send(key, [item]));
    expect((await stored(id)).email).toBe(item.email);
    expect(idsOf(await send(key, [item]))).toEqual([id]);
  });

  it.each(['', 'ä', 'two words', 'x'.repeat(256)])('is refused with 422 if the key is %j', async (key) => {
    expectRefusal(await send(key, [author()]), { status: 422, type: 'ValidationError', property: 'Idempotency-Key' });
  });
});
