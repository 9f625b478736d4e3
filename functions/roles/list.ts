/** `GET /admin/roles/`: lists the roles; with `?permissions=assign`, the roles that the caller can assign. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import * as example from '../../shared/accounts/example.ts';
import { roleResource } from '../../shared/accounts/resource.ts';
import { assignableRoles } from '../../shared/accounts/role.ts';
import { listRoles } from '../../shared/accounts/role-store.ts';
import { settings } from '../../shared/foundation/environment.ts';
import { present } from '../../shared/foundation/resource.ts';
import type { Documentation } from '../../shared/http/documentation.ts';
import { choice } from '../../shared/http/query.ts';

export const handler = endpoint({
  line: 'roles/list',
  query: {
    permissions: choice(['assign'], 'With `assign`, only the roles that the caller can assign.', 'it is not `assign`'),
  },
  answer: { status: 200, root: 'roles', item: roleResource },
  handle: async ({ query: { permissions }, caller, reply }) => {
    const assignable = assignableRoles(caller, settings().roles);
    const roles = (await listRoles()).filter(({ name }) => permissions === undefined || assignable.includes(name));
    return reply(roles.map((role) => present(roleResource, role)));
  },
});

export const documentation = (): Documentation => ({
  tag: 'Roles',
  summary: 'List the roles',
  description: 'The `id` of a role is the `role_id` of invites.',
  examples: {
    assignable: {
      summary: 'Roles that an integration can assign',
      caller: 'integration',
      query: { permissions: 'assign' },
      answer: ['Editor', 'Super Editor', 'Contributor', 'Author'].map((name) => example.role(name)),
    },
  },
});
