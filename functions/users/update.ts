/** `PUT /admin/users/{id}/`: changes the name or the role of a staff member; `me` is the caller. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import * as example from '../../shared/accounts/example.ts';
import { updateStaffMember } from '../../shared/accounts/manage-staff.ts';
import { userResource } from '../../shared/accounts/resource.ts';
import { roleId } from '../../shared/accounts/role.ts';
import { included, showUsers } from '../../shared/accounts/show-users.ts';
import { userChanges } from '../../shared/accounts/staff-schema.ts';
import { NoPermissionError } from '../../shared/foundation/errors.ts';
import type { StaffId } from '../../shared/foundation/ids.ts';
import { type Documentation, failure } from '../../shared/http/documentation.ts';

export const handler = endpoint({
  line: 'users/update',
  knowsMe: true,
  body: { root: 'users', item: userChanges, max: 1, sameIdAsPath: true },
  answer: { status: 200, root: 'users', item: userResource },
  query: { include: included },
  handle: async ({ query, id, items: [changes], caller, reply }) => {
    const member = await updateStaffMember(id<StaffId>(), changes, caller);
    return reply(await showUsers([member], query.include));
  },
});

export const documentation = (): Documentation => ({
  tag: 'Staff',
  summary: 'Update or suspend a staff member',
  description:
    'Changes the name, the role or both; a changed role is published as `staff.role.changed`. ' +
    'Everyone can rename themselves. The Owner and Administrators change others, but not the Owner, and not their ' +
    'own role.',
  errors: [
    example.otherMember,
    example.ofOwner,
    failure('NotFoundError', 'no role has this id', { property: 'roles' }),
    failure('NoPermissionError', 'the caller cannot assign the role, or it is their own', { property: 'roles' }),
  ],
  examples: {
    promote: {
      summary: 'Another name and another role',
      path: { id: example.id },
      body: [{ name: example.renamed.name, roles: [roleId('Editor')] }],
      answer: [example.renamed],
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
});
