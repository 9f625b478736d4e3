/** Reads and writes integrations and the pointers to their keys and webhooks. */
import { type ApiKey, isOver } from '../accounts/api-key.ts';
import { deleteApiKey, endApiKeyAt, endingAt, putApiKey } from '../accounts/api-key-store.ts';
import { checkInUse, integrationKey, inUse } from '../accounts/integration-guard.ts';
import { dueAt } from '../due/due-index.ts';
import { systemClock } from '../foundation/clock.ts';
import { settings } from '../foundation/environment.ts';
import type { ApiKeyId, IntegrationId, WebhookId } from '../foundation/ids.ts';
import { addOne, type Cap, countAgain, startCounting } from '../limits/cap.ts';
import { getMany } from '../table/batch.ts';
import { allOf, exists, is, missing } from '../table/condition.ts';
import { type ConditionFailed, tryWrite } from '../table/conditional.ts';
import { get, remove, update } from '../table/item.ts';
import { tryOnce, updateOnceWith } from '../table/once.ts';
import { untilWritten } from '../table/optimistic.ts';
import { countItems, query, queryAll } from '../table/query.ts';
import { distinct, type Key } from '../table/table-key.ts';
import { transact, type Write } from '../table/transaction.ts';
import { webhookCountKey } from '../webhooks/table-keys.ts';
import type { WebhookPointer } from '../webhooks/webhook.ts';
import type { ApiKeyPointer, InboundSignature, Integration } from './integration.ts';

/** The partition that lists all integrations; the records have partitions of their own, so that none is hot. */
const allIntegrations = 'INTEGRATIONS';

const listedKey = (id: IntegrationId): Key => ({ pk: allIntegrations, sk: `INTEGRATION#${id}` });

const apiKeyPointerKey = (id: IntegrationId, kid: ApiKeyId): Key => ({ pk: `INTEGRATION#${id}`, sk: `KEY#${kid}` });

/** Returns the writes that create an integration. */
export const putIntegration = (integration: Integration): Write[] => [
  { kind: 'put', item: { ...integrationKey(integration.id), ...integration }, condition: missing() },
  { kind: 'put', item: { ...listedKey(integration.id), id: integration.id } },
  startCounting(webhookCountKey(integration.id)),
];

/** Returns the writes that make a key valid and list it, without its secret, in the integration. */
export const putKeyOf = (id: IntegrationId, key: ApiKey): Write[] => [
  putApiKey(key),
  {
    kind: 'put',
    item: {
      ...apiKeyPointerKey(id, key.id),
      id: key.id,
      created_at: key.created_at,
      ...(key.scopes && { scopes: [...key.scopes] }),
      ...(key.valid_until !== undefined && endingAt(key.valid_until)),
    },
    condition: missing(),
  },
];

/** Reads an integration, unless it is being deleted. */
export const readIntegration = async (id: IntegrationId): Promise<Integration | undefined> => {
  const integration = await readIntegrationEvenDeleted(id);
  return integration?.deleting_since === undefined ? integration : undefined;
};

/** Reads an integration, even while it is being deleted. */
export const readIntegrationEvenDeleted = (id: IntegrationId): Promise<Integration | undefined> =>
  get<Integration>(integrationKey(id));

/** Returns the names of these integrations by their ids. Omits unknown ids; duplicates are read once. */
export const namesOfIntegrations = async (ids: readonly IntegrationId[]): Promise<ReadonlyMap<string, string>> =>
  new Map((await getMany<Integration>(distinct(ids.map(integrationKey)))).map(({ id, name }) => [id, name]));

/** Reads a page of all integrations, sorted by id, starting after `after`; `next` is null on the last page. */
export const listIntegrations = async (
  limit: number,
  after: IntegrationId | undefined,
): Promise<{ integrations: Integration[]; next: IntegrationId | null }> => {
  const { items } = await query<{ id: IntegrationId }>(allIntegrations, {
    beginsWith: 'INTEGRATION#',
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

/** Lists the ids of integrations, sorted, at most `limit`, starting after `after`. */
export const listIntegrationIds = async (limit: number, after?: IntegrationId): Promise<IntegrationId[]> => {
  const { items } = await query<{ id: IntegrationId }>(allIntegrations, {
    beginsWith: 'INTEGRATION#',
    limit,
    after: after && listedKey(after),
  });
  return items.map(({ id }) => id);
};

/** Lists the keys of an integration that are valid. */
export const listValidKeysOf = async (id: IntegrationId): Promise<ApiKeyPointer[]> => {
  const now = systemClock();
  return (await listKeysOf(id)).filter((key) => !isOver(key, now));
};

/** Lists the keys of an integration, ended ones included; they are few. */
export const listKeysOf = (id: IntegrationId): Promise<ApiKeyPointer[]> =>
  queryAll<ApiKeyPointer>(`INTEGRATION#${id}`, { beginsWith: 'KEY#' });

/** Lists the ids of its webhooks, newest first, at most `limit`, starting after `after`. */
export const listWebhookIdsOf = async (
  integration: IntegrationId,
  limit: number,
  after?: WebhookId,
): Promise<WebhookId[]> => {
  const pk = `INTEGRATION#${integration}`;
  const { items } = await query<WebhookPointer>(pk, {
    beginsWith: 'WEBHOOK#',
    newestFirst: true,
    limit,
    after: after && { pk, sk: `WEBHOOK#${after}` },
  });
  return items.map(({ webhook_id }) => webhook_id);
};

const cap = (): Cap => ({
  key: { pk: allIntegrations, sk: 'COUNT' },
  max: settings().caps.integrations,
  count: () => countItems(allIntegrations, 'INTEGRATION#'),
});

/** Creates an integration with its first key and further writes; returns the stage's cap if it is reached. */
export const createIntegration = (
  integration: Integration,
  key: ApiKey,
  more: readonly Write[],
): Promise<'created' | { readonly cap: number }> =>
  untilWritten('an integration', async () => {
    const ofStage = cap();
    const writes = [...putIntegration(integration), ...putKeyOf(integration.id, key)];
    const { refusal } = await tryOnce(
      transact([...writes, addOne(ofStage), ...more]),
      async () => (await readIntegration(integration.id)) !== undefined,
    );
    if (refusal === undefined) return 'created';
    return (await countAgain(ofStage, refusal.found(writes.length))) ? undefined : { cap: ofStage.max };
  });

/** Changes fields with the writes in `more`; undefined if the integration has changed or is being deleted. */
export const changeIntegration = async (
  { id, updated_at }: Integration,
  changes: Partial<Integration> & { readonly updated_at: string },
  more: readonly Write[],
  removed: readonly (keyof Integration)[] = [],
): Promise<Integration | undefined> => {
  const unchanged = allOf(inUse, is('updated_at', updated_at));
  return (await updateOnceWith<Integration>(integrationKey(id), { set: changes, remove: removed }, unchanged, more))
    .value;
};

/** Pins what the signatures of a Ghost site cover, unless the pin has changed since it was read. */
export const pinInboundSignature = async (
  id: IntegrationId,
  signs: InboundSignature,
  pinned: InboundSignature | undefined,
): Promise<void> => {
  const isUnchanged = allOf(
    inUse,
    pinned === undefined ? missing('inbound_signature') : is('inbound_signature', pinned),
  );
  await tryWrite(update(integrationKey(id), { set: { inbound_signature: signs } }, isUnchanged));
};

/**
 * Replaces a key. The old one ends at `validUntil` (epoch ms), or at once, and so do `others`, replaced before. Returns
 * false if the integration does not have the old key, has replaced it already, or is being deleted.
 */
export const replaceKey = async (
  id: IntegrationId,
  old: ApiKeyId,
  key: ApiKey,
  {
    others,
    validUntil,
    more,
  }: { readonly others: readonly ApiKeyId[]; readonly validUntil: number | undefined; readonly more: readonly Write[] },
): Promise<boolean> => {
  const pointer = apiKeyPointerKey(id, old);
  const condition = allOf(exists(), missing('is_replaced'));
  const { written } = await tryOnce(
    transact([
      checkInUse(id),
      ...(validUntil === undefined
        ? [{ kind: 'delete', key: pointer, condition } as const, deleteApiKey(old)]
        : [
            {
              kind: 'update',
              key: pointer,
              change: { set: { ...endingAt(validUntil), is_replaced: true } },
              condition,
            } as const,
            endApiKeyAt(old, validUntil),
          ]),
      ...others.flatMap((other) => removalOfKey(id, other)),
      ...putKeyOf(id, key),
      ...more,
    ]),
    async () => (await get(apiKeyPointerKey(id, key.id))) !== undefined,
  );
  return written;
};

/**
 * Starts a deletion, all or nothing: ends the keys, unlists and marks the integration, closed to additions. `more`
 * has its audit entry and what forbids it. Returns why not: position 0 if another request has started it.
 */
export const beginDeletion = async (
  id: IntegrationId,
  keys: readonly ApiKeyId[],
  at: string,
  due: number,
  more: readonly Write[],
): Promise<ConditionFailed | undefined> => {
  const key = integrationKey(id);
  const { refusal } = await tryOnce(
    transact([
      { kind: 'update', key, change: { set: { deleting_since: at, ...dueAt(key, due) } }, condition: inUse },
      { kind: 'delete', key: listedKey(id) },
      // Without the counter, no webhook can be created.
      { kind: 'delete', key: webhookCountKey(id) },
      ...keys.flatMap((kid) => removalOfKey(id, kid)),
      ...more,
    ]),
    async () => (await readIntegration(id)) === undefined,
  );
  return refusal;
};

/** Deletes keys that were created while the deletion started. */
export const removeKeys = (id: IntegrationId, keys: readonly ApiKeyId[]): Promise<void> =>
  transact(keys.flatMap((kid) => removalOfKey(id, kid)));

const removalOfKey = (id: IntegrationId, kid: ApiKeyId): Write[] => [
  deleteApiKey(kid),
  { kind: 'delete', key: apiKeyPointerKey(id, kid) },
];

/** Removes the counter, then the record of the deletion of `since`: while the record exists, the deletion continues. */
export const endDeletion = async (id: IntegrationId, since: string): Promise<void> => {
  if ((await readIntegrationEvenDeleted(id))?.deleting_since !== since) return;
  await remove(webhookCountKey(id));
  await tryWrite(remove(integrationKey(id), is('deleting_since', since)));
};

/** Returns the id of the integration whose record has this key. */
export const integrationOfKey = ({ pk }: Key): IntegrationId => pk.slice('INTEGRATION#'.length) as IntegrationId;
