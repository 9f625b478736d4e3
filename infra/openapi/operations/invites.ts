/** The OpenAPI texts of invites. */
import * as v from 'valibot';
import { roleId } from '../../../shared/accounts/role.ts';
import { NoPermissionError } from '../../../shared/foundation/errors.ts';
import { inviteResource, inviteStates } from '../../../shared/invites/resource.ts';
import { newInvite } from '../../../shared/invites/schema.ts';
import { failure, forbidden } from '../errors.ts';
import { exampleOf } from '../example-of.ts';
import type { ErrorCase, OperationTexts } from '../operation.ts';
import { cursor, limit } from '../parameters.ts';

const notAssignable = forbidden('the caller cannot assign the role of this invite');
const registered = (when: string): ErrorCase =>
  failure('ValidationError', when, { property: 'email', code: 'USER_ALREADY_REGISTERED' });
const accepted = registered('the invite has been accepted');

const at = '2026-11-21T09:20:00.000Z';
const invite = (given: { readonly id: string; readonly email: string; readonly role_id: string }) => ({
  ...exampleOf(inviteResource, { ...given, status: 'pending', created_at: at, updated_at: at }),
  ...given,
});
const ada = invite({ id: '019acb5b70d1a1b2c3d4e5f6', email: 'Ada@example.com', role_id: roleId('Author') });
const grace = invite({ id: '019acb5b02a3a1b2c3d4e5f6', email: 'grace@example.com', role_id: roleId('Editor') });
const linus = invite({ id: '019acb5b02a4a1b2c3d4e5f6', email: 'linus@example.com', role_id: roleId('Editor') });

const margaret = invite({ id: '019acb5b9100a1b2c3d4e5f6', email: 'margaret@example.com', role_id: roleId('Author') });
const margaretsLink = `https://example.com/ghost/api/invitation/${margaret.id}m1n2b3v4c5x6y7l8k9j0h1g2f3d4s5a6p7o8i9u0z1t/`;

/** Placeholders for the tokens in the mails. */
export const exampleTokens: Readonly<Record<string, string>> = {
  [ada.email]: `${ada.id}q1w2e3r4t5z6u7i8o9p0a1s2d3f4g5h6j7k8l9y0x1c`,
  [grace.email]: `${grace.id}y1x2c3v4b5n6m7a8s9d0f1g2h3j4k5l6q7w8e9r0t1z`,
};

export const invites = {
  'invites/create': {
    summary: 'Create invites',
    description:
      'All of them or none. Roles are checked first; if one is refused, addresses are not looked at. Each address gets a mail with a link that works once, by default for seven days. Inviting an address again replaces its open invite, if the caller can assign the role of that one too: the old link is dead. With `send_email: false` no mail is sent, and the response has the `link`: it is not returned again.',
    body: { root: 'invites', item: newInvite, max: 50 },
    answer: {
      status: 201,
      root: 'invites',
      item: inviteResource,
      location: 'The URL of the invite, if one item was sent.',
    },
    errors: [
      failure('NotFoundError', 'no role has this `role_id`', { property: 'role_id' }),
      forbidden('the caller cannot assign this role'),
      { ...forbidden('only the Owner and Administrators can create a link without mail'), property: 'send_email' },
      { ...forbidden('the address has an open invite for a role that the caller cannot assign'), property: 'email' },
      registered('all roles are right, and a staff member has this address'),
      failure('ValidationError', 'the request contains the same address twice'),
    ],
    examples: {
      several: {
        summary: 'Two editors in one request',
        body: [
          { role_id: grace.role_id, email: grace.email },
          { role_id: linus.role_id, email: linus.email },
        ],
        answer: [grace, linus],
      },
      invite: {
        summary: 'An author',
        caller: 'integration',
        body: [{ role_id: ada.role_id, email: ada.email }],
        answer: [ada],
      },
      'without-mail': {
        summary: 'An invite whose link you pass on yourself',
        body: [{ role_id: margaret.role_id, email: margaret.email, send_email: false }],
        answer: [{ ...margaret, link: margaretsLink }],
      },
      'role-not-assignable': {
        summary: 'A role that the caller cannot assign',
        caller: 'integration',
        body: [{ role_id: roleId('Administrator'), email: 'alan@example.com' }],
        error: new NoPermissionError('You cannot assign the role Administrator.', {
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
    summary: 'List the invites',
    description: 'Newest first. Revoked and replaced invites are listed with `status` only.',
    query: {
      status: {
        schema: v.picklist(inviteStates),
        description: 'Only invites with this status.',
        invalid: 'it is not a status of invites',
      },
      include: {
        schema: v.string(),
        description: 'With `history`, all states of each invite. Other names are ignored.',
      },
      limit,
      cursor,
    },
    answer: { status: 200, root: 'invites', item: inviteResource, pages: 'always' },
    examples: {
      sent: {
        summary: 'Invites whose mail was sent',
        query: { status: 'sent', limit: '1' },
        answer: [{ ...ada, status: 'sent' }],
        pagination: { limit: 1, next: 'WyJpbnZpdGVzIHNlbnQiLCIwMTlhY2I1YjcwZDFhMWIyYzNkNGU1ZjYiXQ' },
      },
    },
  },
  'invites/read': {
    summary: 'Get an invite',
    query: {
      include: {
        schema: v.string(),
        description: 'With `history`, all states of the invite. Other names are ignored.',
      },
    },
    answer: { status: 200, root: 'invites', item: inviteResource },
    examples: {
      'with-history': {
        summary: 'With its history',
        path: { id: ada.id },
        query: { include: 'history' },
        answer: [
          {
            ...ada,
            status: 'sent',
            history: [
              { status: 'pending', at, reason: null },
              { status: 'sent', at: '2026-11-21T09:20:01.000Z', reason: null },
            ],
          },
        ],
      },
    },
  },
  'invites/resend': {
    summary: 'Resend an invite',
    description: 'With a new link and a new expiry; the old link is dead. No body is required.',
    answer: { status: 200, root: 'invites', item: inviteResource },
    errors: [notAssignable, accepted],
    examples: {
      resend: {
        summary: 'The mail was lost',
        path: { id: ada.id },
        answer: [ada],
      },
    },
  },
  'invites/delete': {
    summary: 'Revoke an invite',
    description: 'Its link is dead at once.',
    answer: { status: 204 },
    errors: [notAssignable, accepted],
    examples: {
      revoke: { summary: 'An invite sent by mistake', path: { id: linus.id } },
    },
  },
} satisfies Record<string, OperationTexts>;
