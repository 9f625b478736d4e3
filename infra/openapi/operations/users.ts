/** The OpenAPI texts of staff members and their access tokens. */
import * as v from 'valibot';
import { userResource } from '../../../shared/accounts/resource.ts';
import { roleId } from '../../../shared/accounts/role.ts';
import { userChanges } from '../../../shared/accounts/staff-schema.ts';
import { staffTokenResource } from '../../../shared/accounts/staff-token.ts';
import { NoPermissionError } from '../../../shared/foundation/errors.ts';
import { failure, forbidden } from '../errors.ts';
import { exampleOf } from '../example-of.ts';
import type { OperationTexts, QueryParameter } from '../operation.ts';
import { cursor, limit } from '../parameters.ts';

const include: QueryParameter = {
  schema: v.pipe(v.string(), v.metadata({ examples: ['roles'] })),
  description: 'What to include: `roles`.',
};

const owner = 'b6b2d9f0a1c3e5d7f9081726';
const id = '019acb5e0a10a1b2c3d4e5f6';
const joined = '2026-11-21T09:20:00.000Z';
const ada = exampleOf(userResource, {
  id,
  name: 'Ada',
  slug: 'ada',
  email: 'Ada@example.com',
  status: 'active',
  created_at: joined,
  updated_at: joined,
});
const renamed = { ...ada, name: 'Ada Lovelace', updated_at: '2026-11-21T09:25:00.000Z' };
const otherMember = forbidden(
  'the id is that of another staff member, and the caller is neither the Owner nor an Administrator',
);
const ofOwner = forbidden('only the Owner can change the Owner');

export const users = {
  'users/list': {
    summary: 'List the staff',
    query: { include, limit, cursor },
    answer: { status: 200, root: 'users', item: userResource, pages: 'always' },
    examples: {
      'first-page': {
        summary: 'The first page, with one item',
        query: { limit: '1' },
        answer: [ada],
        pagination: { limit: 1, next: 'WyJ1c2VycyIsIjAxOWFjYjVlMGExMGExYjJjM2Q0ZTVmNiJd' },
      },
    },
  },
  'users/read': {
    summary: 'Get a staff member',
    description: 'The Owner and Administrators read everyone, others themselves.',
    query: { include },
    knowsMe: true,
    answer: { status: 200, root: 'users', item: userResource },
    errors: [otherMember],
    examples: {
      member: { summary: 'A staff member', path: { id }, answer: [ada] },
      me: {
        summary: 'Oneself',
        path: { id: 'me' },
        answer: [
          {
            ...ada,
            id: owner,
            name: 'Olive Owner',
            slug: 'olive-owner',
            email: 'owner@masthead.example',
            last_seen: '2026-11-21T09:00:00.000Z',
          },
        ],
      },
    },
  },
  'users/update': {
    summary: 'Update a staff member',
    description:
      'Changes the name, the role or both; a changed role is published as `staff.role.changed`. Everyone can rename themselves. The Owner and Administrators change others, but not the Owner, and not their own role.',
    query: { include },
    knowsMe: true,
    body: { root: 'users', item: userChanges, max: 1 },
    answer: { status: 200, root: 'users', item: userResource },
    errors: [
      otherMember,
      ofOwner,
      failure('NotFoundError', 'no role has this id', { property: 'roles' }),
      failure('NoPermissionError', 'the caller cannot assign the role, or it is their own', { property: 'roles' }),
    ],
    examples: {
      promote: {
        summary: 'Another name and another role',
        path: { id },
        body: [{ name: renamed.name, roles: [roleId('Editor')] }],
        answer: [renamed],
      },
      owner: {
        summary: 'The Owner stays the Owner',
        path: { id: 'me' },
        body: [{ roles: [roleId('Editor')] }],
        error: new NoPermissionError('The Owner cannot have another role.', {
          property: 'roles',
          help: 'Omit `roles`.',
        }),
      },
    },
  },
  'users/renew-token': {
    summary: 'Renew the access token of a staff member',
    description:
      'Returns a new key, whose secret is not returned again. All earlier keys of the member become invalid; functions that have cached one accept it for a few more seconds. Everyone can renew their own. The Owner and Administrators can also renew those of others, except the Owner’s. A token can be renewed ten times an hour; beyond that, 429 with `Retry-After`. No body is required.',
    knowsMe: true,
    answer: { status: 200, root: 'apiKey', item: staffTokenResource, isSingle: true },
    errors: [otherMember, ofOwner],
    examples: {
      renew: {
        summary: 'The first key of a new staff member',
        path: { id },
        answer: exampleOf(staffTokenResource, {
          id: '019acb5f1b20a1b2c3d4e5f6',
          type: 'admin',
          last_seen_at: null,
          last_seen_version: null,
          user_id: id,
          role_id: roleId('Editor'),
          created_at: '2026-11-21T09:28:00.000Z',
          updated_at: '2026-11-21T09:28:00.000Z',
        }),
      },
    },
  },
  'users/delete': {
    summary: 'Remove a staff member',
    description:
      'The keys of the member are invalid, the address is free, and the open invites that the member sent are revoked. The removal is published as `staff.removed`.',
    knowsMe: true,
    answer: { status: 204 },
    errors: [forbidden('the Owner cannot be removed')],
    examples: { remove: { summary: 'Ada leaves', path: { id } } },
  },
} satisfies Record<string, OperationTexts>;
