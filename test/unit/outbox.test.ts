/** The outbox: a message that was stored with a change reaches its queue, whatever fails. */
import { describe, expect, it, vi } from 'vitest';
import { contract } from '../../shared/contract.ts';
import type { OutboxMessage } from '../../shared/due/outbox.ts';
import { awsInMemory } from '../support/aws-in-memory.ts';
import { now } from '../support/deliver-in-memory.ts';
import { stopTime } from '../support/test-time.ts';

const aws = awsInMemory();
Object.assign(process.env, aws.environment);
const { sendDueMessages, sendStored, storeMessage } = await import('../../shared/due/outbox.ts');
const { transact } = await import('../../shared/table/transaction.ts');
const { log } = await import('../../shared/aws/log.ts');
stopTime(now);

const event: OutboxMessage = {
  queue: 'events',
  id: 'staff-added-1',
  body: { event: 'staff.added' },
  group: 'masthead',
};
const mail: OutboxMessage = { queue: 'mail', id: 'token-1', body: { account_notice: {} } };
const keyOf = ({ queue, id }: OutboxMessage) => ({ pk: `OUTBOX#${queue}#${id}`, sk: 'OUTBOX' });
const isStored = (message: OutboxMessage): boolean => aws.read(keyOf(message)) !== undefined;
const given = () => transact([event, mail].map(storeMessage));

it('a function stores messages only for queues that it may send to, and may delete what it stores', () => {
  const stored = contract.flatMap(({ function: name, access: { table = {}, send = [] } }) =>
    (table.PutItem ?? [])
      .filter((partition) => partition.startsWith('OUTBOX#'))
      .map((partition) => ({
        name,
        maySend: send.some((queue) => partition === `OUTBOX#${queue}#`),
        mayDelete: table.DeleteItem?.includes(partition),
      })),
  );
  expect(stored.length).toBeGreaterThan(5);
  expect(stored.filter(({ maySend, mayDelete }) => !maySend || mayDelete !== true)).toEqual([]);
});

describe('a message of the outbox', () => {
  it('is sent to its queue and deleted', async () => {
    await given();
    await sendStored([event, mail]);
    expect(aws.sent()).toMatchObject([
      { queue: 'events', body: event.body, group: 'masthead' },
      { queue: 'mail', body: mail.body },
    ]);
    expect([isStored(event), isStored(mail)]).toEqual([false, false]);
  });

  it('stays until the sweep has sent it, if its queue fails', async () => {
    vi.spyOn(log, 'warn').mockImplementation(() => {});
    await given();
    aws.fail('SendMessageBatchCommand');
    await sendStored([event]);
    expect(isStored(event)).toBe(true);
    aws.fail('SendMessageBatchCommand');
    await expect(sendDueMessages([keyOf(event)])).rejects.toMatchObject({ status: 503 });
    expect(isStored(event)).toBe(true);
    await sendDueMessages([keyOf(event), { pk: 'OUTBOX#events#deleted', sk: 'OUTBOX' }]);
    expect(aws.sent()).toMatchObject([{ queue: 'events', body: event.body, group: 'masthead' }]);
    expect(isStored(event)).toBe(false);
  });

  it('is sent again by the sweep if it could not be deleted', async () => {
    vi.spyOn(log, 'warn').mockImplementation(() => {});
    await given();
    aws.fail('DeleteCommand');
    await sendStored([event]);
    await sendDueMessages([keyOf(event)]);
    expect(aws.sent()).toHaveLength(2);
    expect(isStored(event)).toBe(false);
  });
});
