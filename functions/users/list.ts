/** `GET /admin/users/`: lists the staff, on request with their roles. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { rolesIfIncluded } from '../../shared/accounts/role-store.ts';
import { presentUser } from '../../shared/accounts/staff-member.ts';
import { pageOfStaff } from '../../shared/accounts/staff-store.ts';
import { isId, type StaffId } from '../../shared/foundation/ids.ts';
import { paginated, readCursor, readLimit } from '../../shared/http/paging.ts';
import { ok } from '../../shared/http/response.ts';

const maxUsers = 100;
const scope = 'users';

export const handler = endpoint({
  line: 'users/list',
  handle: async ({ request: { query } }) => {
    const limit = readLimit(query, maxUsers);
    const { members, next } = await pageOfStaff(limit, readCursor(query, scope, isId<StaffId>));
    const roles = await rolesIfIncluded(query);
    return ok({ users: members.map((member) => presentUser(member, roles)), ...paginated(scope, limit, next) });
  },
});
