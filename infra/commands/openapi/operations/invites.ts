/** What the OpenAPI document says of invites, as staff see them. */
import * as v from 'valibot';
import { roleId } from '../../../../shared/accounts/role.ts';
import { inviteResource, inviteStates } from '../../../../shared/invites/invite.ts';
import { newInvite } from '../../../../shared/invites/schema.ts';
import type { ErrorCase, Operation } from '../operation.ts';
import { errorAnswer } from './error-answer.ts';
import { cursor, limit } from './paging.ts';

const resource = 'Invites';

const unknown: ErrorCase = {
  status: 404,
  type: 'NotFoundError',
  when: 'no invite has this id, or it is revoked or replaced',
};
const notYours: ErrorCase = {
  status: 403,
  type: 'NoPermissionError',
  when: 'the caller may not give the role of this invite',
};
const accepted: ErrorCase = {
  status: 422,
  type: 'ValidationError',
  code: 'USER_ALREADY_REGISTERED',
  property: 'email',
  when: 'it has been accepted',
};

const ada = {
  id: '019acb5b70d1a1b2c3d4e5f6',
  role_id: roleId('Author'),
  status: 'pending',
  email: 'Ada@example.com',
  expires: 1795857600000,
  created_at: '2026-11-21T09:20:00.000Z',
  updated_at: '2026-11-21T09:20:00.000Z',
};
const grace = { ...ada, id: '019acb5b02a3a1b2c3d4e5f6', email: 'grace@example.com', role_id: roleId('Editor') };
const linus = { ...grace, id: '019acb5b02a4a1b2c3d4e5f6', email: 'linus@example.com' };

/** The tokens that stand for those in the mails. */
export const exampleTokens: Readonly<Record<string, string>> = {
  [ada.email]: `${ada.id}q1w2e3r4t5z6u7i8o9p0a1s2d3f4g5h6j7k8l9y0x1c`,
  [grace.email]: `${grace.id}y1x2c3v4b5n6m7a8s9d0f1g2h3j4k5l6q7w8e9r0t1z`,
};

export const invites = {
  'invites/create': {
    resource,
    summary: 'Invite people',
    description:
      'All of them or none. Each gets a mail with a link that works once, for seven days where the stage says nothing else. Inviting an address again replaces its open invite: the old link is dead.',
    body: { root: 'invites', item: newInvite, max: 50 },
    answer: {
      status: 201,
      root: 'invites',
      item: inviteResource,
      location: 'Where the invite is, when one item was sent.',
    },
    errors: [
      { status: 404, type: 'NotFoundError', property: 'role_id', when: '`role_id` names no role' },
      { status: 403, type: 'NoPermissionError', when: 'the caller may not give this role' },
      {
        status: 422,
        type: 'ValidationError',
        code: 'USER_ALREADY_REGISTERED',
        property: 'email',
        when: 'a staff member has this address',
      },
      { status: 422, type: 'ValidationError', when: 'the same address stands twice in the request' },
    ],
    examples: {
      several: {
        summary: 'Two editors at once',
        caller: 'Owner',
        body: {
          invites: [
            { role_id: grace.role_id, email: grace.email },
            { role_id: linus.role_id, email: linus.email },
          ],
        },
        status: 201,
        answer: { invites: [grace, linus] },
      },
      invite: {
        summary: 'An author',
        caller: 'integration',
        body: { invites: [{ role_id: ada.role_id, email: ada.email }] },
        status: 201,
        answer: { invites: [ada] },
      },
      'not-yours-to-give': {
        summary: 'A role that the caller may not give',
        caller: 'integration',
        body: { invites: [{ role_id: roleId('Administrator'), email: 'alan@example.com' }] },
        status: 403,
        answer: errorAnswer('NoPermissionError', 'You cannot assign the role Administrator.', {
          details: [
            {
              index: 0,
              field: 'role_id',
              rule: 'assignable',
              limit: null,
              received: 'a role that you cannot assign',
            },
          ],
          help: 'GET /admin/roles/?permissions=assign lists the roles that you can assign.',
        }),
      },
    },
  },
  'invites/list': {
    resource,
    summary: 'List the invites',
    description: 'Newest first, without those that are revoked or replaced; `status` shows these, too.',
    query: {
      status: { schema: v.picklist(inviteStates), description: 'Only those of this status.' },
      limit: limit(100),
      cursor,
    },
    answer: { status: 200, root: 'invites', item: inviteResource, pages: 'always' },
    errors: [
      { status: 422, type: 'ValidationError', property: 'status', when: 'no invite can have this status' },
      {
        status: 422,
        type: 'ValidationError',
        property: 'limit',
        when: '`limit` is not a number from 1 to 100, or `all`',
      },
      { status: 422, type: 'ValidationError', property: 'cursor', when: '`cursor` was not given for this list' },
    ],
    examples: {
      sent: {
        summary: 'Whom a mail has been sent to',
        caller: 'Owner',
        query: { status: 'sent', limit: '1' },
        status: 200,
        answer: {
          invites: [{ ...ada, status: 'sent' }],
          meta: { pagination: { limit: 1, next: 'WyJpbnZpdGVzIHNlbnQiLCIwMTlhY2I1YjcwZDFhMWIyYzNkNGU1ZjYiXQ' } },
        },
      },
    },
  },
  'invites/read': {
    resource,
    summary: 'Show an invite',
    query: {
      include: { schema: v.literal('history'), description: 'With `history` every status it has had.' },
    },
    answer: { status: 200, root: 'invites', item: inviteResource },
    errors: [unknown],
    examples: {
      'with-history': {
        summary: 'What has become of it',
        caller: 'Owner',
        path: { id: ada.id },
        query: { include: 'history' },
        status: 200,
        answer: {
          invites: [
            {
              ...ada,
              status: 'sent',
              history: [
                { status: 'pending', at: '2026-11-21T09:20:00.000Z', reason: null },
                { status: 'sent', at: '2026-11-21T09:20:01.000Z', reason: null },
              ],
            },
          ],
        },
      },
    },
  },
  'invites/resend': {
    resource,
    summary: 'Mail an invite again',
    description: 'With a new link and a new expiry; the old link is dead. No body is needed.',
    answer: { status: 200, root: 'invites', item: inviteResource },
    errors: [unknown, notYours, accepted],
    examples: {
      resend: {
        summary: 'The mail was lost',
        caller: 'Owner',
        path: { id: ada.id },
        status: 200,
        answer: { invites: [ada] },
      },
    },
  },
  'invites/delete': {
    resource,
    summary: 'Revoke an invite',
    description: 'Its link is dead from this moment.',
    answer: { status: 204 },
    errors: [unknown, notYours, accepted],
    examples: {
      revoke: { summary: 'It was a mistake', caller: 'Owner', path: { id: linus.id }, status: 204 },
    },
  },
} satisfies Record<string, Operation>;
