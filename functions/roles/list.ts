/** `GET /admin/roles/`: lists the roles; with `?permissions=assign` those that the caller may give. */
import { settings } from '../../shared/environment.ts';
import { ValidationError } from '../../shared/errors.ts';
import { shortened } from '../../shared/http/body.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { describe } from '../../shared/http/items.ts';
import { ok } from '../../shared/http/response.ts';
import { findKey } from '../../shared/keys/find.ts';
import { assignableRoles, presentRole } from '../../shared/roles/role.ts';
import { listRoles } from '../../shared/roles/store.ts';

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
