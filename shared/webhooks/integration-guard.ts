/** What a write to a webhook needs of its integration: that its record exists and is not being deleted. */
import type { IntegrationId } from '../foundation/ids.ts';
import { allOf, type Condition, exists, missing } from '../table/condition.ts';
import type { Key } from '../table/table-key.ts';
import type { Write } from '../table/transaction.ts';

export const integrationKey = (id: IntegrationId): Key => ({ pk: `INTEGRATION#${id}`, sk: 'INTEGRATION' });

/** Holds for an integration's record that exists and is not being deleted: what is added to it now does not outlive it. */
export const inUse: Condition = allOf(exists(), missing('deleting_since'));

/** The write that fails where the integration is deleted or being deleted. */
export const checkInUse = (id: IntegrationId): Write => ({ kind: 'check', key: integrationKey(id), condition: inUse });
