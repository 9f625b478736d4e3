/** Creates, finds and updates integrations, and replaces their keys. */
import { type ApiKey, type KeyLimits, newApiKey } from '../accounts/api-key.ts';
import { actorOf, changesBetween } from '../audit/entry.ts';
import { audited } from '../audit/store.ts';
import { sendStored, storeMessage } from '../due/outbox.ts';
import type { Caller } from '../foundation/caller.ts';
import { hour, systemClock, timestamp } from '../foundation/clock.ts';
import { NoPermissionError, NotFoundError, ValidationError } from '../foundation/errors.ts';
import type { ApiKeyId, IntegrationId } from '../foundation/ids.ts';
import { newId } from '../foundation/new-id.ts';
import { slugOf } from '../foundation/text.ts';
import { untilWritten } from '../table/optimistic.ts';
import { askContact } from './contact.ts';
import { type ApiKeyPointer, asTarget, type Integration, shownToAudit } from './integration.ts';
import type { IntegrationChanges, KeyLimitChanges, KeyReplacement, NewIntegration } from './schema.ts';
import { changeIntegration, createIntegration, listValidKeysOf, readIntegration, replaceKey } from './store.ts';

interface WithNewKey {
  readonly integration: Integration;
  /** With its secret, which cannot be read afterwards. */
  readonly key: ApiKey;
}

/** Creates an integration with its first key. */
export const addIntegration = async (
  { api_keys: [limits = {}] = [], ...input }: NewIntegration,
  caller: Caller,
): Promise<WithNewKey> => {
  const now = timestamp(systemClock());
  const id = newId<IntegrationId>();
  const integration = { id, slug: slugOf(input.name, 'integration'), ...input, created_at: now, updated_at: now };
  const key = newApiKey({ kind: 'integration', integration_id: id }, now, limitsAfter({}, limits));
  const entry = audited(
    actorOf(caller),
    'integration.created',
    asTarget(integration),
    changesBetween({}, { ...shownToAudit(integration), ...limitsForAudit(key) }),
  );
  const messages = askContact(integration);
  const result = await createIntegration(integration, key, [entry, ...messages.map(storeMessage)]);
  if (result !== 'created')
    throw new ValidationError(`The stage has ${result.cap} integrations, and allows no more.`, {
      help: 'Delete integrations that are not used, or raise `caps.integrations` of the stage.',
      details: [
        {
          index: 0,
          field: 'integrations',
          rule: 'caps.integrations',
          limit: result.cap,
          received: `a stage with ${result.cap} integrations`,
        },
      ],
    });
  await sendStored(messages);
  return { integration, key };
};

/** Changes the given fields. @throws NotFoundError, ContentionError after lost races */
export const updateIntegration = async (
  id: IntegrationId,
  changes: IntegrationChanges,
  caller: Caller,
): Promise<Integration> => {
  const { integration, messages } = await untilWritten(`the integration ${id}`, async () => {
    const before = await findIntegration(id);
    const after = { ...before, ...changes, updated_at: timestamp(systemClock()) };
    const audit = changesBetween(shownToAudit(before), shownToAudit(after));
    const more =
      Object.keys(audit).length === 0 ? [] : [audited(actorOf(caller), 'integration.updated', asTarget(before), audit)];
    // Also the same address gets a new link.
    const messages = changes.contact_email === undefined ? [] : askContact(after);
    const writes = [...more, ...messages.map(storeMessage)];
    const integration = await changeIntegration(before, { ...changes, updated_at: after.updated_at }, writes);
    return integration && { integration, messages };
  });
  await sendStored(messages);
  return integration;
};

/** Finds an integration. @throws NotFoundError, also while it is being deleted */
const findIntegration = async (id: IntegrationId): Promise<Integration> => (await readIntegration(id)) ?? notFound(id);

/** Finds an integration, for staff or for itself. @throws NotFoundError before NoPermissionError */
export const findVisibleIntegration = async (id: IntegrationId, caller: Caller): Promise<Integration> => {
  const integration = await findIntegration(id);
  if (caller.kind === 'integration' && caller.integrationId !== id)
    throw new NoPermissionError('The key of an integration cannot read another integration.', {
      help:
        `It can read its own: GET /admin/integrations/${caller.integrationId}/. ` +
        'Otherwise use the key of an Owner or Administrator.',
    });
  return integration;
};

/**
 * Replaces a key by one with a new id, which no environment has cached, so that all accept it. Keys that were replaced
 * earlier end at once. Returns the new key and, with an overlap, the old one.
 * @throws NotFoundError for the integration or the key, ValidationError for a key that was replaced already
 */
export const refreshKey = async (
  id: IntegrationId,
  old: ApiKeyId,
  { previous_valid_hours, ...changes }: KeyReplacement,
  caller: Caller,
): Promise<WithNewKey & { readonly previous: readonly ApiKeyPointer[] }> => {
  const integration = await findIntegration(id);
  const now = systemClock();
  const keys = await listValidKeysOf(id);
  const before: KeyLimits = keys.find((one) => one.id === old) ?? {};
  const limits = limitsAfter(before, changes);
  const key = newApiKey({ kind: 'integration', integration_id: id }, timestamp(now), limits);
  const overlap = Math.min(now + previous_valid_hours * hour, before.valid_until ?? Number.POSITIVE_INFINITY);
  const validUntil = previous_valid_hours === 0 ? undefined : overlap;
  const others = keys.flatMap((other) => (other.id !== old && other.is_replaced ? [other.id] : []));
  const entry = audited(actorOf(caller), 'integration.key.replaced', asTarget(integration), {
    ...changesBetween({ key_id: old }, { key_id: key.id }),
    ...changesBetween({}, { previous_valid_hours }),
    ...changesBetween(limitsForAudit(before), limitsForAudit(limits)),
  });
  if (await replaceKey(id, old, key, { others, validUntil, more: [entry] })) {
    const ended = keys.filter((other) => other.id === old);
    return { integration, key, previous: validUntil === undefined ? [] : endingKeys(ended, validUntil) };
  }
  const help = `GET /admin/integrations/${id}/?include=api_keys lists its keys.`;
  if ((await listValidKeysOf(id)).some((other) => other.id === old))
    throw new ValidationError(`The key \`${old}\` has been replaced already, and ends by itself.`, {
      property: 'key_id',
      help: `${help} Replace the current one: the earlier one then ends at once.`,
    });
  throw new NotFoundError(`The integration has no key with the id \`${old}\`.`, { property: 'key_id', help });
};

const limitsAfter = ({ scopes, valid_until }: KeyLimits, changes: KeyLimitChanges): KeyLimits => {
  const after = { scopes, valid_until, ...changes };
  return {
    ...(after.scopes && { scopes: [...new Set(after.scopes)] }),
    ...(after.valid_until && { valid_until: after.valid_until }),
  };
};

const limitsForAudit = ({ scopes, valid_until }: KeyLimits) => ({
  scopes: scopes?.join(', '),
  valid_until: valid_until === undefined ? undefined : timestamp(valid_until),
});

const endingKeys = (keys: readonly ApiKeyPointer[], valid_until: number): ApiKeyPointer[] =>
  keys.map((key) => ({ ...key, valid_until }));

const notFound = (id: IntegrationId): never => {
  throw noIntegration(id);
};

export const noIntegration = (id: IntegrationId): NotFoundError =>
  new NotFoundError(`No integration has the id \`${id}\`.`, { help: 'GET /admin/integrations/ lists them.' });
