/** Where roles lie in the table: all in one partition, read in one query. */
import { missing } from '../table/condition.ts';
import { tryWrite } from '../table/conditional.ts';
import { put } from '../table/item.ts';
import { queryAll } from '../table/query.ts';
import type { Key } from '../table/table-key.ts';
import type { Role } from './role.ts';

const roleKey = (role: Role): Key => ({ pk: 'ROLES', sk: `ROLE#${role.id}` });

export const listRoles = (): Promise<Role[]> => queryAll<Role>('ROLES');

/** Puts a role where there is none of its id. */
export const seedRole = async (role: Role): Promise<void> => {
  await tryWrite(put({ ...roleKey(role), ...role }, missing()));
};
