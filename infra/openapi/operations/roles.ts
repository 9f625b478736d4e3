/** The OpenAPI texts of roles. */
import * as v from 'valibot';
import { roleResource } from '../../../shared/accounts/resource.ts';
import { roleId } from '../../../shared/accounts/role.ts';
import { ghostRoles } from '../../../shared/foundation/ghost-roles.ts';
import { exampleOf } from '../example-of.ts';
import type { OperationTexts } from '../operation.ts';

const at = '2026-11-21T08:00:00.000Z';
const role = (name: string) =>
  exampleOf(roleResource, {
    id: roleId(name),
    ...ghostRoles.find((one) => one.name === name),
    created_at: at,
    updated_at: at,
  });

export const roles = {
  'roles/list': {
    summary: 'List the roles',
    description: 'The `id` of a role is the `role_id` of invites.',
    query: {
      permissions: {
        schema: v.literal('assign'),
        description: 'With `assign`, only the roles that the caller can assign.',
        invalid: 'it is not `assign`',
      },
    },
    answer: { status: 200, root: 'roles', item: roleResource },
    examples: {
      assignable: {
        summary: 'Roles that an integration can assign',
        caller: 'integration',
        query: { permissions: 'assign' },
        answer: ['Editor', 'Super Editor', 'Contributor', 'Author'].map(role),
      },
    },
  },
} satisfies Record<string, OperationTexts>;
