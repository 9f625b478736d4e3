/** Reads and writes roles: all in one partition of the table, read in one query. */
import { missing } from '../table/condition.ts';
import { tryWrite } from '../table/conditional.ts';
import { put } from '../table/item.ts';
import { queryAll } from '../table/query.ts';
import type { Role } from './resource.ts';

export const listRoles = (): Promise<Role[]> => queryAll<Role>('ROLES');

/** Writes a role unless one with its id exists. */
export const seedRole = async (role: Role): Promise<void> => {
  await tryWrite(put({ pk: 'ROLES', sk: `ROLE#${role.id}`, ...role }, missing()));
};
