/** The metrics of deliveries and mails that wait for longer than the queues' own metrics show. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { StaffId } from '../../shared/foundation/ids.ts';
import { awsInMemory } from '../support/aws-in-memory.ts';
import { invite } from '../support/invitation.ts';
import { takeLog } from '../support/log-lines.ts';
import { lambdaContext, queueRecord } from '../support/parts-event.ts';
import { settingsText } from '../support/settings-text.ts';

const aws = awsInMemory();
Object.assign(process.env, {
  ...aws.environment,
  SETTINGS: settingsText({ mail: { from: 'desk@example.com', perSecond: 1, perDay: 200 } }),
  BASE_URL: 'https://example.com/ghost/api',
  METRICS_NAMESPACE: 'Masthead',
  SERVICE_NAME: 'masthead-test',
});
const { addressKey } = await import('../../shared/accounts/address.ts');
const { staffKey } = await import('../../shared/accounts/staff-store.ts');
const { inviteKey } = await import('../../shared/invites/store.ts');
const { limitKey } = await import('../../shared/limits/store.ts');
const deliver = await import('../../functions/deliveries/deliver.ts');
const mail = await import('../../functions/mail/send.ts');

const minute = 60_000;
const { lines } = takeLog();
const valuesOf = (metric: string): number[] => lines().flatMap((line) => line[metric] ?? []);
const id = (digit: string) => digit.repeat(24);

describe('a message of the deliveries', () => {
  const invoke = (queue: string, minutesAgo: number) => {
    const body = JSON.stringify({
      body_hash: 'x',
      event: 'post.published',
      event_id: 'e',
      created_at: '2026-11-01T09:00:00.000Z',
      delivery_id: id('1'),
      webhook_id: id('2'),
      attempt: 1,
      waits: 0,
      trigger: 'event',
    });
    const sentAt = Date.now() - minutesAgo * minute;
    const record = queueRecord({ body, sentAt, receiveCount: 7 }, `arn:aws:sqs:eu-central-1:000000000000:m-${queue}`);
    return deliver.handler({ Records: [record] }, lambdaContext('deliveries/deliver', 30));
  };

  it('that has waited too long is counted, however often it was received', async () => {
    await invoke('deliveries', 40);
    const [late = 0, ...others] = valuesOf('LateDelivery');
    expect(late).toBeGreaterThanOrEqual(40 * minute);
    expect(others).toEqual([]);
  });

  it('that was delayed by its own retry is not counted', async () => {
    await invoke('deliveries', 15);
    expect(valuesOf('LateDelivery')).toEqual([]);
  });

  it('may wait in the slow lane', async () => {
    await invoke('slow-deliveries', 40);
    expect(valuesOf('LateDelivery')).toEqual([]);
  });
});

describe('a mail', () => {
  const staff_id = id('3') as StaffId;
  const invoke = () => {
    const body = JSON.stringify({ sign_in: { staff_id, requested_at: Date.now(), waits: 0 } });
    const record = queueRecord({ body }, 'arn:aws:sqs:eu-central-1:000000000000:m-mail');
    return mail.handler({ Records: [record] }, lambdaContext('mail/send', 30));
  };
  beforeEach(() => {
    aws.put(staffKey(staff_id), { id: staff_id, name: 'Ada', email: 'ada@example.com', role: 'Owner' });
  });

  it('with an invitation waits while only sign-in links may be mailed that day', async () => {
    const open = invite({ role: 'Author', expires: Date.now() + 60 * minute, expires_at: 9_999_999_999 });
    const by = open.invited_by.kind === 'staff' ? open.invited_by.staff_id : staff_id;
    aws.put(inviteKey(open.id), open);
    aws.put(addressKey(open.email), { email: open.email, holder: 'invite', invite_id: open.id });
    aws.put(staffKey(by), { id: by, role: 'Owner' });
    aws.put(limitKey('mail turns'), { next_at: 0, day: [{ at: Date.now(), count: 180 }], version: 1 });
    const record = queueRecord(
      { body: JSON.stringify({ invite_id: open.id }) },
      'arn:aws:sqs:eu-central-1:000000000000:m-mail',
    );
    await mail.handler({ Records: [record] }, lambdaContext('mail/send', 30));
    expect(Math.max(...valuesOf('LateMail'))).toBeGreaterThan(23 * 60 * minute);
    expect(aws.read(inviteKey(open.id))).toMatchObject({ status: 'pending', attempts: 0 });
  });

  it('that waits for the quota of the next day is counted as late at once', async () => {
    const hours = 10;
    aws.put(limitKey('mail turns'), {
      next_at: 0,
      day: [{ at: Date.now() - (24 - hours) * 60 * minute, count: 200 }],
      version: 1,
    });
    await invoke();
    const [late = 0] = valuesOf('LateMail');
    expect(late).toBeGreaterThan((hours - 1) * 60 * minute);
  });
});
