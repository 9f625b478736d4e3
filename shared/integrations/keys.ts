/**
 * Keys of an integration's items: its record, its place in the list of all, and the pointer to each of its API keys; those
 * to webhooks are the webhooks' own.
 */
import type { IntegrationId, KeyId } from '../ids.ts';
import { allOf, type Condition, exists, missing } from '../table/condition.ts';
import type { Key } from '../table/key.ts';

export const integrationKey = (id: IntegrationId): Key => ({ pk: `INTEGRATION#${id}`, sk: 'INTEGRATION' });

/** Partition of the list of all integrations; the records lie apart, so that busy ones share no partition. */
export const allIntegrations = 'INTEGRATIONS';

export const listedKey = (id: IntegrationId): Key => ({ pk: allIntegrations, sk: `INTEGRATION#${id}` });

export const apiKeyPointerKey = (id: IntegrationId, kid: KeyId): Key => ({ pk: `INTEGRATION#${id}`, sk: `KEY#${kid}` });

/** Holds for an integration's record that is there and not being deleted: what is given to it now will not outlive it. */
export const inUse: Condition = allOf(exists(), missing('deleting_since'));
