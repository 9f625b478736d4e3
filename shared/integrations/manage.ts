/** The rules of creating and changing integrations, and of replacing their keys. */

import { type ApiKey, newKey } from '../accounts/api-key.ts';
import { type Clock, timestamp } from '../foundation/clock.ts';
import { NotFoundError } from '../foundation/errors.ts';
import type { Ids, IntegrationId, KeyId } from '../foundation/ids.ts';
import { type Integration, slugOf } from './integration.ts';
import type { IntegrationChanges, NewIntegration } from './schema.ts';

interface Made {
  readonly integration: Integration;
  /** With its secret, which is nowhere to be had afterwards. */
  readonly key: ApiKey;
}

/** Creates an integration with its first key. */
export const addIntegration = async (
  { create, clock, ids }: { create: (integration: Integration, key: ApiKey) => Promise<void>; clock: Clock; ids: Ids },
  input: NewIntegration,
): Promise<Made> => {
  const now = timestamp(clock());
  const integration: Integration = {
    id: ids<IntegrationId>(),
    name: input.name,
    slug: slugOf(input.name),
    description: input.description,
    contact_email: input.contact_email,
    can_publish: input.can_publish,
    created_at: now,
    updated_at: now,
  };
  const key = newKey(ids, { kind: 'integration', integration_id: integration.id }, now);
  await create(integration, key);
  return { integration, key };
};

/** Changes the fields that are given. @throws NotFoundError */
export const editIntegration = async (
  {
    change,
    clock,
  }: {
    change: (
      id: IntegrationId,
      changes: IntegrationChanges & { readonly updated_at: string },
    ) => Promise<Integration | undefined>;
    clock: Clock;
  },
  id: IntegrationId,
  changes: IntegrationChanges,
): Promise<Integration> => {
  const integration = await change(id, { ...changes, updated_at: timestamp(clock()) });
  if (integration === undefined) throw noIntegration(id);
  return integration;
};

/** Finds an integration. @throws NotFoundError, also where it is being deleted */
export const findIntegration = async (
  read: (id: IntegrationId) => Promise<Integration | undefined>,
  id: IntegrationId,
): Promise<Integration> => {
  const integration = await read(id);
  if (integration === undefined) throw noIntegration(id);
  return integration;
};

/**
 * Replaces a key that is lost or known to others: the new one has an id of its own, so that no environment that remembers
 * the old secret refuses the new one.
 * @throws NotFoundError for the integration or the key
 */
export const refreshKey = async (
  {
    read,
    replace,
    clock,
    ids,
  }: {
    read: (id: IntegrationId) => Promise<Integration | undefined>;
    replace: (id: IntegrationId, old: KeyId, key: ApiKey) => Promise<'replaced' | 'lost'>;
    clock: Clock;
    ids: Ids;
  },
  id: IntegrationId,
  old: KeyId,
): Promise<Made> => {
  const integration = await findIntegration(read, id);
  const key = newKey(ids, { kind: 'integration', integration_id: id }, timestamp(clock()));
  if ((await replace(id, old, key)) === 'lost')
    throw new NotFoundError(`This integration has no key with the id \`${old}\`.`, {
      property: 'key_id',
      help: `GET /admin/integrations/${id}/?include=api_keys shows its keys.`,
    });
  return { integration, key };
};

export const noIntegration = (id: IntegrationId): NotFoundError =>
  new NotFoundError(`No integration has the id \`${id}\`.`, { help: 'GET /admin/integrations/ lists them.' });
