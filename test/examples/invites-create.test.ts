/** `POST /admin/invites/` with a mocked table and queue: the invite is stored, and its mail is queued. */
import './environment.ts';

import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, expect, it } from 'vitest';
import { roleId } from '../../shared/accounts/role.ts';
import { apiEvent, lambdaContext } from '../support/parts-event.ts';
import { asAdministrator, fakeTable } from './table-fake.ts';

const author = { pk: 'ROLES', sk: `ROLE#${roleId('Author')}`, id: roleId('Author'), name: 'Author' };
const table = fakeTable(author);
const sqs = mockClient(SQSClient);
afterAll(() => sqs.restore());
const { handler } = await import('../../functions/invites/create.ts');

const invite = (email: string, role_id: string) => {
  const request = {
    method: 'POST',
    path: '/admin/invites/',
    headers: asAdministrator(),
    body: { invites: [{ email, role_id }] },
  };
  return handler(apiEvent(request, '/admin/invites/', '/ghost/api'), lambdaContext('invites/create', 10));
};

it('creating an invite stores it and queues its mail, without a token in either', async () => {
  sqs.on(SendMessageBatchCommand).resolves({ Successful: [{ Id: '0', MessageId: 'm', MD5OfMessageBody: '' }] });
  const answer = await invite('grace@example.com', author.id);
  expect(answer.statusCode).toBe(201);
  const [created] = JSON.parse(answer.body).invites;
  expect(created).toMatchObject({ email: 'grace@example.com', role_id: author.id, status: 'pending' });
  expect(table.written()).toContain('grace@example.com');
  const [sent] = sqs.commandCalls(SendMessageBatchCommand);
  expect(sent?.args[0].input.Entries?.map(({ MessageBody = '' }) => JSON.parse(MessageBody))).toMatchObject([
    { invite_id: created.id },
  ]);
});

it('creating an invite is refused if the role does not exist', async () => {
  const answer = await invite('grace@example.com', roleId('Publisher'));
  expect([answer.statusCode, JSON.parse(answer.body).errors[0].property]).toEqual([404, 'role_id']);
});
