/**
 * Table keys of an integration: its entry in the list of all integrations, and the pointers to its API keys. The key of its
 * record is in `accounts/integration-guard.ts`.
 */
import type { ApiKeyId, IntegrationId } from '../foundation/ids.ts';
import type { Key } from '../table/table-key.ts';

/** The partition that lists all integrations; the records have partitions of their own, so that none is hot. */
export const allIntegrations = 'INTEGRATIONS';

export const listedKey = (id: IntegrationId): Key => ({ pk: allIntegrations, sk: `INTEGRATION#${id}` });

export const apiKeyPointerKey = (id: IntegrationId, kid: ApiKeyId): Key => ({
  pk: `INTEGRATION#${id}`,
  sk: `KEY#${kid}`,
});
