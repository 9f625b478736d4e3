/** What the OpenAPI document says of roles. */
import * as v from 'valibot';
import { roleId, roleResource } from '../../../../shared/accounts/role.ts';
import type { Operation } from '../operation.ts';

const role = (name: string, description: string) => ({
  id: roleId(name),
  name,
  description,
  created_at: '2026-11-21T08:00:00.000Z',
  updated_at: '2026-11-21T08:00:00.000Z',
});

export const roles = {
  'roles/list': {
    resource: 'Roles',
    summary: 'List the roles',
    description: 'This is how a client learns what to send as `role_id`.',
    query: {
      permissions: {
        schema: v.literal('assign'),
        description: 'With `assign` only the roles that the caller may give.',
      },
    },
    answer: { status: 200, root: 'roles', item: roleResource },
    errors: [
      { status: 422, type: 'ValidationError', property: 'permissions', when: 'it is something else than `assign`' },
    ],
    examples: {
      assignable: {
        summary: "What an integration's key may give",
        caller: 'integration',
        query: { permissions: 'assign' },
        status: 200,
        answer: {
          roles: [
            role('Editor', 'Editors'),
            role('Super Editor', 'Editors who may also manage members'),
            role('Contributor', 'Contributors'),
            role('Author', 'Authors'),
          ],
        },
      },
    },
  },
} satisfies Record<string, Operation>;
