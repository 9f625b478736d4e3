/** The event `staff.added` is delivered once for each accepted invite, whatever is interrupted. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deliveryTools } from '../support/deliveries.ts';
import { documentedBodyOf } from '../support/documented-delivery.ts';
import { inviting, newAddress, type StoredMember, setAttribute } from '../support/invites.ts';
import { freshStack } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';
import { allowStaffEvents } from '../support/staff-events.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { accept, inviteAndMail, staffWith } = await inviting(stack, keys);
const { items } = deliveryTools(stack, keys);

const receiver = await receiveWebhooks();
afterAll(() => receiver.close());
beforeAll(async () => {
  await allowStaffEvents(stack, keys);
  await stack.call('webhooks/create', {
    path: '/admin/webhooks/',
    key: keys.integration,
    body: { webhooks: [{ event: 'staff.added', target_url: `${receiver.origin}/staff` }] },
  });
});

const events = async () => (await stack.messages('events')).map(({ body }) => body);
const deliveriesAbout = async (email: string) => {
  for (const queue of ['events', 'slow-deliveries', 'deliveries'] as const) await stack.drain(queue);
  return receiver.deliveries.filter(({ body }) => body.includes(email));
};
/** The outbox keeps the event of a member until the queue has it. */
const outboxOf = (member: StoredMember | undefined) => ({
  pk: `OUTBOX#events#staff-added-${member?.id}`,
  sk: 'OUTBOX',
});
const inOutbox = (member: StoredMember | undefined) => items(outboxOf(member).pk);

const acceptOne = async () => {
  const email = newAddress();
  const { token } = await inviteAndMail(email);
  await accept(token);
  const [member] = await staffWith(email);
  return { email, member };
};

describe('the event staff.added', () => {
  it('is published at once, and the sweep has nothing to do', async () => {
    const { email, member } = await acceptOne();
    const [event] = await events();
    expect(event).toEqual({
      kind: 'event',
      id: `staff-added-${member?.id}`,
      publisher: 'masthead',
      event: 'staff.added',
      accepted_at: member?.created_at,
      payload: {
        staff: {
          current: { id: member?.id, name: 'Ada Lovelace', email, role: 'Author', created_at: member?.created_at },
          previous: {},
        },
      },
    });
    expect(await inOutbox(member)).toEqual([]);
  });

  it('reaches its subscribers', async () => {
    const { email } = await acceptOne();
    const deliveries = await deliveriesAbout(email);
    expect(deliveries.map(({ body }) => documentedBodyOf(body))).toEqual([
      { event: 'staff.added', staff: { current: expect.objectContaining({ email, role: 'Author' }), previous: {} } },
    ]);
  });

  it('is delivered once, however often it is published', async () => {
    const { email, member } = await acceptOne();
    const published = (await events()).filter(({ id }) => id === `staff-added-${member?.id}`);
    expect(published).toHaveLength(1);
    for (let again = 0; again < 2; again++) expect(await stack.work('events', published)).toEqual([]);
    expect(await deliveriesAbout(email)).toHaveLength(1);
  });

  it('is published by the sweep if the queue has failed', async () => {
    const email = newAddress();
    const { token } = await inviteAndMail(email);
    stack.faults.set({ faults: [{ fault: 'error', service: 'sqs' }] });
    const answer = await accept(token);
    stack.faults.set({ faults: [] });
    expect(answer.status).toBe(200);
    const [member] = await staffWith(email);
    const [message] = await inOutbox(member);
    expect(message).toMatchObject({ due: expect.stringMatching(/^DUE#\d+$/) });
    expect(Date.parse(String(message?.due_at))).toBeLessThanOrEqual(Date.now() + 60_000);
    await setAttribute(stack, outboxOf(member), 'due_at', new Date(Date.now() - 1).toISOString());
    await stack.invoke('due/sweep', {});
    expect(await deliveriesAbout(email)).toHaveLength(1);
    expect(await inOutbox(member)).toEqual([]);
  });
});
