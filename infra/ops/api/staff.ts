/** Finds members of the staff by their address, and roles by their name. */
import type { Caller } from '../../command-line/client.ts';
import { UsageError } from '../../command-line/exit-codes.ts';
import { pages, request } from './request.ts';
import { only, type Role, read, type User } from './resources.ts';

/** Returns a member by id, by address, or the owner of the key (`me`). @throws Error for an unknown address, RequestError */
export const findMember = async (caller: Caller, member: string): Promise<User> => {
  const include = 'include=roles';
  if (!member.includes('@'))
    return only(read.users(await request(caller, 'GET', `/admin/users/${member}/?${include}`)));
  for await (const page of pages(caller, '/admin/users/', { include: 'roles', limit: 'all' }, read.users)) {
    const found = page.find(({ email }) => email.toLowerCase() === member.toLowerCase());
    if (found !== undefined) return found;
  }
  throw new Error(`No member of the staff has the address ${member}. npm run ops -- staff list shows them.`);
};

/** Returns a role that the key can assign, by its name or id. @throws Error that lists them */
export const findRole = async (caller: Caller, nameOrId: string): Promise<Role> => {
  const roles = read.roles(await request(caller, 'GET', '/admin/roles/?permissions=assign'));
  const found = roles.find(({ id, name }) => id === nameOrId || name.toLowerCase() === nameOrId.toLowerCase());
  if (found !== undefined) return found;
  throw new UsageError(`--role is '${nameOrId}'; it must be one of ${roles.map(({ name }) => name).join(', ')}.`);
};

/** Returns the names of all roles by their ids. */
export const roleNames = async (caller: Caller): Promise<ReadonlyMap<string, string>> =>
  new Map(read.roles(await request(caller, 'GET', '/admin/roles/')).map(({ id, name }) => [id, name]));
