/** `GET /admin/roles/`: lists the roles; with `?permissions=assign` those that the caller may give. */

import { findKey } from '../../shared/accounts/find-api-key.ts';
import { assignableRoles, presentRole } from '../../shared/accounts/role.ts';
import { listRoles } from '../../shared/accounts/role-store.ts';
import { settings } from '../../shared/foundation/environment.ts';
import { ValidationError } from '../../shared/foundation/errors.ts';
import { shortened } from '../../shared/http/body.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { describe } from '../../shared/http/items.ts';
import { ok } from '../../shared/http/response.ts';

export const handler = endpoint({
  line: 'roles/list',
  keys: findKey,
  handle: async ({ request, caller }) => {
    const { permissions } = request.query;
    if (permissions !== undefined && permissions !== 'assign')
      throw new ValidationError(`\`permissions=${shortened(permissions)}\` is not known here.`, {
        property: 'permissions',
        help: 'Send `permissions=assign` for the roles that you may give, or leave it out for all.',
        details: [
          { index: null, field: 'permissions', rule: 'known', limit: 'assign', received: describe(permissions) },
        ],
      });
    const roles = await listRoles();
    const assignable = assignableRoles(caller, settings().roles);
    return ok({
      roles: roles.filter(({ name }) => permissions === undefined || assignable.includes(name)).map(presentRole),
    });
  },
});
