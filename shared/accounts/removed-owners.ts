/** Finds out which owners were removed or suspended: unfinished work of such members or integrations is stopped. */
import type { Caller } from '../foundation/caller.ts';
import { getMany } from '../table/batch.ts';
import { distinct, type Key } from '../table/table-key.ts';
import type { ApiKeyOwner } from './api-key.ts';
import { integrationKey } from './integration-guard.ts';
import type { LostRoles } from './lost-roles.ts';
import type { StaffStatus } from './resource.ts';
import { staffKey } from './staff-store.ts';

/** Returns the id of the owner: a staff member or an integration. */
export const ownerId = (owner: ApiKeyOwner): string => (owner.kind === 'staff' ? owner.staff_id : owner.integration_id);

/** Returns whom the work of a caller belongs to: the person or the integration, whatever key or session they use. */
export const ownerOf = (caller: Caller): ApiKeyOwner =>
  caller.kind === 'staff'
    ? { kind: 'staff', staff_id: caller.staffId }
    : { kind: 'integration', integration_id: caller.integrationId };

export interface OwnerItem extends LostRoles {
  readonly id: string;
  readonly deleting_since?: string;
  readonly role?: string;
  readonly status?: StaffStatus;
}

/** Returns the key of the item of the staff member or integration. */
export const keyOfOwner = (owner: ApiKeyOwner): Key =>
  owner.kind === 'staff' ? staffKey(owner.staff_id) : integrationKey(owner.integration_id);

/** Returns which owners were removed, suspended or are being deleted. Reads each owner once. */
export const removedOwners = async (owners: readonly ApiKeyOwner[]): Promise<ReadonlySet<string>> =>
  removedAmong(owners, await getMany<OwnerItem>(distinct(owners.map(keyOfOwner))));

/** Returns the same for items that were already read. */
export const removedAmong = (owners: readonly ApiKeyOwner[], found: readonly OwnerItem[]): ReadonlySet<string> => {
  const present = new Set(
    found.flatMap(({ id, deleting_since, status }) =>
      deleting_since === undefined && status !== 'inactive' ? [id] : [],
    ),
  );
  return new Set(owners.map(ownerId).filter((id) => !present.has(id)));
};
