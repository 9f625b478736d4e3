/** Tools for tests of invitations: invite, let the mail be sent, find the link in it. */
import { randomBytes } from 'node:crypto';
import { DynamoDBDocumentClient, GetCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { StaffMember } from '../../shared/accounts/staff-member.ts';
import type { Invite } from '../../shared/invites/invite.ts';
import type { InviteState } from '../../shared/invites/resource.ts';
import type { FreshStack, SeededKeys, TestResponse } from './parts.ts';

/** Returns an unused address. */
export const newAddress = (): string => `Reader.${randomBytes(6).toString('hex')}@Example.org`;

export type StoredMember = StaffMember & { readonly sk: string; readonly due?: string; readonly due_at?: string };

export interface Inviting {
  readonly roles: Readonly<Record<string, string>>;
  /** Sends a request. Default: with the Owner's key. */
  invite(items: readonly object[], key?: string): Promise<TestResponse>;
  inviteOne(email: string, key?: string): Promise<{ readonly id: string; readonly role_id: string }>;
  /** Also lets the mail be sent, and returns its token. */
  inviteAndMail(email: string, key?: string): Promise<{ readonly id: string; readonly token: string }>;
  tokenFor(email: string): Promise<string>;
  read(id: string): Promise<TestResponse>;
  statusOf(id: string): Promise<InviteState>;
  /** Resends an invite. Default: as the Owner. */
  resend(id: string, key?: string): Promise<TestResponse>;
  revoke(id: string, key?: string): Promise<TestResponse>;
  accept(token: string): Promise<TestResponse>;
  open(token: string, headers?: Readonly<Record<string, string>>): Promise<TestResponse>;
  submit(
    token: string,
    fields: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<TestResponse>;
  set(id: string, attribute: string, value: string | number): Promise<void>;
  staffWith(email: string): Promise<readonly StoredMember[]>;
  stored(id: string): Promise<Invite & { readonly due?: string; readonly due_at?: string }>;
}

/** Returns the tools for one test file. */
export const inviting = async (stack: FreshStack, keys: SeededKeys): Promise<Inviting> => {
  const listed = await stack.call('roles/list', { path: '/admin/roles/', key: keys.owner });
  const roles = Object.fromEntries(listed.body.roles.map((role: { name: string; id: string }) => [role.name, role.id]));
  const tools: Inviting = {
    roles,
    invite: (invites, key = keys.owner) =>
      stack.call('invites/create', { path: '/admin/invites/', key, body: { invites } }),
    async inviteOne(email, key) {
      const answer = await tools.invite([{ email, role_id: roles.Author }], key);
      if (answer.status !== 201) throw new Error(`inviting was answered with ${answer.status}: ${answer.text}`);
      return answer.body.invites[0];
    },
    async inviteAndMail(email, key) {
      const { id } = await tools.inviteOne(email, key);
      await stack.drain('mail');
      return { id, token: await tools.tokenFor(email) };
    },
    async tokenFor(email) {
      const mail = (await stack.mailsTo(email)).at(-1);
      const token = tokenIn(mail?.body.text ?? '');
      if (token === undefined) throw new Error(`there is no mail with a link to ${email}`);
      return token;
    },
    read: (id) => stack.call('invites/read', { path: `/admin/invites/${id}/?include=history`, key: keys.owner }),
    async statusOf(id) {
      return (await tools.read(id)).body.invites[0].status;
    },
    resend: (id, key = keys.owner) => stack.call('invites/resend', { path: `/admin/invites/${id}/resend/`, key }),
    revoke: (id, key = keys.owner) => stack.call('invites/delete', { path: `/admin/invites/${id}/`, key }),
    accept: (token) =>
      stack.call('invites/accept', {
        path: '/admin/authentication/invitation/',
        body: { invitation: [{ token, name: 'Ada Lovelace', password: 'correct horse' }] },
      }),
    open: (token, headers = {}) => stack.call('invites/show-page', { path: `/invitation/${token}/`, headers }),
    submit: (token, fields, headers = {}) =>
      stack.call('invites/accept-page', {
        path: `/invitation/${token}/`,
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
        body: new URLSearchParams(fields).toString(),
      }),
    async set(id, attribute, value) {
      await setAttribute(stack, { pk: 'INVITES', sk: `INVITE#${id}` }, attribute, value);
    },
    async staffWith(email) {
      const { Items = [] } = await documents(stack).send(
        new QueryCommand({
          TableName: stack.tableName,
          KeyConditionExpression: 'pk = :staff',
          ExpressionAttributeValues: { ':staff': 'STAFF' },
        }),
      );
      return (Items as StoredMember[]).filter((member) => member.email === email);
    },
    async stored(id) {
      const { Item } = await documents(stack).send(
        new GetCommand({ TableName: stack.tableName, Key: { pk: 'INVITES', sk: `INVITE#${id}` } }),
      );
      return Item as Awaited<ReturnType<Inviting['stored']>>;
    },
  };
  return tools;
};

const documents = ({ dynamodb }: FreshStack) => DynamoDBDocumentClient.from(dynamodb);

/** Changes an attribute of an item in the table. */
export const setAttribute = async (
  { dynamodb, tableName }: FreshStack,
  key: { readonly pk: string; readonly sk: string },
  attribute: string,
  value: string | number,
): Promise<void> => {
  await dynamodb.send(
    new UpdateCommand({
      TableName: tableName,
      Key: key,
      UpdateExpression: 'SET #name = :value',
      ExpressionAttributeNames: { '#name': attribute },
      ExpressionAttributeValues: { ':value': value },
    }),
  );
};

/** Returns the token of the link in a mail. */
export const tokenIn = (text: string): string | undefined => /\/invitation\/([\w-]+)\//.exec(text)?.[1];
