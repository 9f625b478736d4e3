/** Where integrations lie in the table. */

import type { ApiKey } from '../accounts/api-key.ts';
import { apiKeyKey, putApiKey } from '../accounts/api-key-store.ts';
import type { IntegrationId, KeyId, WebhookId } from '../foundation/ids.ts';
import { getMany } from '../table/batch.ts';
import { exists, is, missing } from '../table/condition.ts';
import { tryWrite } from '../table/conditional.ts';
import { dueAt } from '../table/due.ts';
import { get, remove } from '../table/item.ts';
import { tryOnce, updateOnce } from '../table/once.ts';
import { query, queryAll } from '../table/query.ts';
import type { Key } from '../table/table-key.ts';
import { transact, type Write } from '../table/transaction.ts';
import { checkInUse, integrationKey, inUse } from '../webhooks/integration-guard.ts';
import { pointerKey } from '../webhooks/table-keys.ts';
import type { ApiKeyPointer, Integration } from './integration.ts';
import type { IntegrationChanges } from './schema.ts';
import { allIntegrations, apiKeyPointerKey, listedKey } from './table-keys.ts';

/** The writes that make an integration. */
export const putIntegration = (integration: Integration): Write[] => [
  { kind: 'put', item: { ...integrationKey(integration.id), ...integration }, condition: missing() },
  { kind: 'put', item: { ...listedKey(integration.id), id: integration.id } },
];

/** The writes that make a key of an integration valid and show it there, without the secret. */
export const putKeyOf = (id: IntegrationId, key: ApiKey): Write[] => [
  putApiKey(key),
  {
    kind: 'put',
    item: { ...apiKeyPointerKey(id, key.id), id: key.id, created_at: key.created_at },
    condition: missing(),
  },
];

/** An integration that is there and not being deleted. */
export const readIntegration = async (id: IntegrationId): Promise<Integration | undefined> => {
  const integration = await readIntegrationEvenDeleted(id);
  return integration?.deleting_since === undefined ? integration : undefined;
};

/** An integration as long as anything of it is there. */
export const readIntegrationEvenDeleted = (id: IntegrationId): Promise<Integration | undefined> =>
  get<Integration>(integrationKey(id));

/** A page of all integrations, in the order of their ids, from behind `after`; `next` is null where it is the last. */
export const listIntegrations = async (
  limit: number,
  after: IntegrationId | undefined,
): Promise<{ integrations: Integration[]; next: IntegrationId | null }> => {
  const { items } = await query<{ id: IntegrationId }>(allIntegrations, {
    limit: limit + 1,
    after: after && listedKey(after),
  });
  const ids = items.slice(0, limit).map(({ id }) => id);
  const found = await getMany<Integration>(ids.map(integrationKey));
  const integrations = new Map(found.map((integration) => [integration.id, integration]));
  return {
    integrations: ids.flatMap((id) => {
      const integration = integrations.get(id);
      return integration === undefined || integration.deleting_since !== undefined ? [] : [integration];
    }),
    next: items.length > limit ? (ids.at(-1) ?? null) : null,
  };
};

/** Its keys; they are few. */
export const listKeysOf = (id: IntegrationId): Promise<ApiKeyPointer[]> =>
  queryAll<ApiKeyPointer>(`INTEGRATION#${id}`, { beginsWith: 'KEY#' });

/** Ids of its webhooks, newest first, at most `limit`, from behind `after`. */
export const listWebhookIdsOf = async (id: IntegrationId, limit: number, after?: WebhookId): Promise<WebhookId[]> => {
  const pk = `INTEGRATION#${id}`;
  const { items } = await query<{ webhook_id: WebhookId }>(pk, {
    beginsWith: 'WEBHOOK#',
    newestFirst: true,
    limit,
    after: after && { pk, sk: `WEBHOOK#${after}` },
  });
  return items.map(({ webhook_id }) => webhook_id);
};

/** Puts an integration with its first key. */
export const createIntegration = async (integration: Integration, key: ApiKey): Promise<void> => {
  await tryOnce(
    transact([...putIntegration(integration), ...putKeyOf(integration.id, key)]),
    async () => (await readIntegration(integration.id)) !== undefined,
  );
};

/** Changes fields and gives the integration as it then is; undefined where it is gone or going. */
export const changeIntegration = async (
  id: IntegrationId,
  changes: IntegrationChanges & { readonly updated_at: string },
): Promise<Integration | undefined> =>
  (await updateOnce<Integration>(integrationKey(id), { set: changes }, inUse)).value;

/** Replaces a key by a new one; `lost` where the integration has no such key (any more) or is going itself. */
export const replaceKey = async (id: IntegrationId, old: KeyId, key: ApiKey): Promise<'replaced' | 'lost'> => {
  const { written } = await tryOnce(
    transact([
      checkInUse(id),
      { kind: 'delete', key: apiKeyPointerKey(id, old), condition: exists() },
      { kind: 'delete', key: apiKeyKey(old) },
      ...putKeyOf(id, key),
    ]),
    async () => (await get(apiKeyPointerKey(id, key.id))) !== undefined,
  );
  return written ? 'replaced' : 'lost';
};

/**
 * Begins a deletion: kills these keys, takes the integration out of the list and marks its record, all or nothing.
 * From then on nothing can be given to it. `due` is when the sweep goes on, in epoch ms. Gives false where somebody was quicker.
 */
export const beginDeletion = async (
  id: IntegrationId,
  keys: readonly KeyId[],
  at: string,
  due: number,
): Promise<boolean> => {
  const key = integrationKey(id);
  const { written } = await tryOnce(
    transact([
      { kind: 'update', key, change: { set: { deleting_since: at, ...dueAt(key, due) } }, condition: inUse },
      { kind: 'delete', key: listedKey(id) },
      ...keys.flatMap((kid) => removalOfKey(id, kid)),
    ]),
    async () => (await readIntegration(id)) === undefined,
  );
  return written;
};

/** Kills keys that came up between the look at them and the beginning of the deletion. */
export const removeKeys = (id: IntegrationId, keys: readonly KeyId[]): Promise<void> =>
  transact(keys.flatMap((kid) => removalOfKey(id, kid)));

const removalOfKey = (id: IntegrationId, kid: KeyId): Write[] => [
  { kind: 'delete', key: apiKeyKey(kid) },
  { kind: 'delete', key: apiKeyPointerKey(id, kid) },
];

/** Forgets a webhook that is not there any more. */
export const removeWebhookPointer = (id: IntegrationId, webhook: WebhookId): Promise<void> =>
  remove(pointerKey(id, webhook));

/** Removes the record at the end of a deletion, unless it is not that deletion's any more. */
export const endDeletion = (id: IntegrationId, since: string): Promise<unknown> =>
  tryWrite(remove(integrationKey(id), is('deleting_since', since)));

/** For the sweep: which key in the index of what is due means a deletion, and whose. */
export const integrationOfDue = ({ pk, sk }: Key): IntegrationId | undefined =>
  sk === 'INTEGRATION' ? (pk.slice('INTEGRATION#'.length) as IntegrationId) : undefined;
