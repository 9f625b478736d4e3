/** `GET /admin/users/`: lists the staff, on request with their roles. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { showUsers } from '../../shared/accounts/show-users.ts';
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
    return ok({ users: await showUsers(members, query), ...paginated(scope, limit, next) });
  },
});
