/** Who has been removed: what a removed staff member or integration began and others would finish ends with them. */
import { getMany } from '../table/batch.ts';
import { distinct, type Key } from '../table/table-key.ts';
import type { ApiKeyOwner } from './api-key.ts';
import { integrationKey } from './integration-guard.ts';
import { staffKey } from './staff-store.ts';

/** Returns the id of the staff member or integration. */
export const ownerId = (owner: ApiKeyOwner): string => (owner.kind === 'staff' ? owner.staff_id : owner.integration_id);

/** What says whether an owner is there: the item of a staff member or an integration. */
export interface OwnerItem {
  readonly id: string;
  readonly deleting_since?: string;
  /** The role of a staff member. */
  readonly role?: string;
}

/** Returns the key of the item of the staff member or integration. */
export const keyOfOwner = (owner: ApiKeyOwner): Key =>
  owner.kind === 'staff' ? staffKey(owner.staff_id) : integrationKey(owner.integration_id);

/** Returns the ids of those owners that are removed, or an integration that is being deleted. Reads each owner once. */
export const removedOwners = async (owners: readonly ApiKeyOwner[]): Promise<ReadonlySet<string>> =>
  removedAmong(owners, await getMany<OwnerItem>(distinct(owners.map(keyOfOwner))));

/** Returns the same, given the items that were found. */
export const removedAmong = (owners: readonly ApiKeyOwner[], found: readonly OwnerItem[]): ReadonlySet<string> => {
  const present = new Set(found.flatMap(({ id, deleting_since }) => (deleting_since === undefined ? [id] : [])));
  return new Set(owners.map(ownerId).filter((id) => !present.has(id)));
};
