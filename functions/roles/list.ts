/** `GET /admin/roles/`: lists the roles; with `?permissions=assign`, the roles that the caller can assign. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { roleResource } from '../../shared/accounts/resource.ts';
import { assignableRoles } from '../../shared/accounts/role.ts';
import { listRoles } from '../../shared/accounts/role-store.ts';
import { settings } from '../../shared/foundation/environment.ts';
import { present } from '../../shared/foundation/resource.ts';
import { invalidParameter } from '../../shared/http/parameters.ts';
import { ok } from '../../shared/http/response.ts';

const help = 'Send `permissions=assign` for the roles that you can assign, or omit it for all roles.';

export const handler = endpoint({
  line: 'roles/list',
  handle: async ({ request, caller }) => {
    const { permissions } = request.query;
    if (permissions !== undefined && permissions !== 'assign')
      throw invalidParameter('permissions', permissions, 'known', 'must be `assign`', 'assign', help);
    const assignable = assignableRoles(caller, settings().roles);
    const roles = (await listRoles()).filter(({ name }) => permissions === undefined || assignable.includes(name));
    return ok({ roles: roles.map((role) => present(roleResource, role)) });
  },
});
