/**
 * Table keys of an integration's items: its place in the list of all, and the pointer to each of its API keys. The key of its
 * record and the pointers to webhooks belong to the room of webhooks.
 */
import type { IntegrationId, KeyId } from '../foundation/ids.ts';
import type { Key } from '../table/table-key.ts';

/** Partition of the list of all integrations; the records lie apart, so that busy ones share no partition. */
export const allIntegrations = 'INTEGRATIONS';

export const listedKey = (id: IntegrationId): Key => ({ pk: allIntegrations, sk: `INTEGRATION#${id}` });

export const apiKeyPointerKey = (id: IntegrationId, kid: KeyId): Key => ({ pk: `INTEGRATION#${id}`, sk: `KEY#${kid}` });
