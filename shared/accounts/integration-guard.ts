/** The condition of a write on its integration: the record exists and is not being deleted. */
import type { IntegrationId } from '../foundation/ids.ts';
import { allOf, type Condition, exists, missing } from '../table/condition.ts';
import type { Key } from '../table/table-key.ts';
import type { Write } from '../table/transaction.ts';

export const integrationKey = (id: IntegrationId): Key => ({ pk: `INTEGRATION#${id}`, sk: 'INTEGRATION' });

/** Holds for an integration's record that exists and is not being deleted, so that added items do not outlive it. */
export const inUse: Condition = allOf(exists(), missing('deleting_since'));

/** Returns the write that fails if the integration is deleted or being deleted. */
export const checkInUse = (id: IntegrationId): Write => ({ kind: 'check', key: integrationKey(id), condition: inUse });
