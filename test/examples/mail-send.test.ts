/** The mail function with a mocked table and SES: one message of the queue becomes one mail. */
import './environment.ts';

import { SESClient, SendEmailCommand } from '@aws-sdk/client-ses';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, expect, it } from 'vitest';
import { addressKey } from '../../shared/accounts/address.ts';
import type { InviteId } from '../../shared/foundation/ids.ts';
import { inviteKey } from '../../shared/invites/store.ts';
import { lambdaContext, queueRecord } from '../support/parts-event.ts';
import { fakeTable, staffId } from './table-fake.ts';

const id = '7'.repeat(24) as InviteId;
const email = 'grace@example.com';
const tomorrow = Date.now() + 86_400_000;
const invite = {
  ...inviteKey(id),
  id,
  email,
  role_id: '8'.repeat(24),
  role: 'Author',
  status: 'pending',
  expires: tomorrow,
  expires_at: tomorrow / 1000,
  created_at: '2026-11-01T09:00:00.000Z',
  updated_at: '2026-11-01T09:00:00.000Z',
  invited_by: { kind: 'staff', staff_id: staffId },
  inviter: { name: 'Ada', email: 'ada@example.com' },
  mailing: 1,
  attempts: 0,
  token_hashes: [],
  old_token_hashes: [],
  history: [],
};
fakeTable(invite, { ...addressKey(email), email, holder: 'invite', invite_id: id });
const ses = mockClient(SESClient);
afterAll(() => ses.restore());
const { handler } = await import('../../functions/mail/send.ts');

const deliver = () => {
  const record = queueRecord(
    { body: JSON.stringify({ invite_id: id }) },
    'arn:aws:sqs:eu-central-1:000000000000:masthead-test-mail',
  );
  return handler({ Records: [record] }, lambdaContext('mail/send', 30));
};

it('the mailer sends the invited person a link', async () => {
  ses.on(SendEmailCommand).resolves({ MessageId: 'm' });
  expect(await deliver()).toEqual({ batchItemFailures: [] });
  const [mail] = ses.commandCalls(SendEmailCommand);
  expect(mail?.args[0].input.Destination?.ToAddresses).toEqual([email]);
  expect(mail?.args[0].input.Message?.Body?.Text?.Data).toMatch(/\/invitation\/\S+/);
});
