/** Who has been removed: what a removed staff member or integration began and others would finish ends with them. */
import { getMany } from '../table/batch.ts';
import type { Key } from '../table/table-key.ts';
import type { ApiKeyOwner } from './api-key.ts';
import { integrationKey } from './integration-guard.ts';
import { staffKey } from './staff-store.ts';

/** Returns the id of the staff member or integration. */
export const ownerId = (owner: ApiKeyOwner): string => (owner.kind === 'staff' ? owner.staff_id : owner.integration_id);

/** Returns the ids of those owners that are removed, or an integration that is being deleted. Reads each owner once. */
export const removedOwners = async (owners: readonly ApiKeyOwner[]): Promise<ReadonlySet<string>> => {
  const keys = new Map(owners.map((owner) => [ownerId(owner), tableKeyOf(owner)]));
  const found = await getMany<{ id: string; deleting_since?: string }>([...keys.values()]);
  const present = new Set(found.flatMap(({ id, deleting_since }) => (deleting_since === undefined ? [id] : [])));
  return new Set([...keys.keys()].filter((id) => !present.has(id)));
};

const tableKeyOf = (owner: ApiKeyOwner): Key =>
  owner.kind === 'staff' ? staffKey(owner.staff_id) : integrationKey(owner.integration_id);
