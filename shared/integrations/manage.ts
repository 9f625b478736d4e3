/** Creates, finds and updates integrations, and replaces their keys. */
import { type ApiKey, newApiKey } from '../accounts/api-key.ts';
import type { Caller } from '../foundation/caller.ts';
import { systemClock, timestamp } from '../foundation/clock.ts';
import { NoPermissionError, NotFoundError, ValidationError } from '../foundation/errors.ts';
import { type ApiKeyId, type IntegrationId, newId } from '../foundation/ids.ts';
import { slugOf } from '../foundation/text.ts';
import type { Integration } from './integration.ts';
import type { IntegrationChanges, NewIntegration } from './schema.ts';
import { changeIntegration, createIntegration, readIntegration, replaceKey } from './store.ts';

interface WithNewKey {
  readonly integration: Integration;
  /** With its secret, which cannot be read afterwards. */
  readonly key: ApiKey;
}

/** Creates an integration with its first key. */
export const addIntegration = async (input: NewIntegration): Promise<WithNewKey> => {
  const now = timestamp(systemClock());
  const id = newId<IntegrationId>();
  const integration = { id, slug: slugOf(input.name, 'integration'), ...input, created_at: now, updated_at: now };
  const key = newApiKey({ kind: 'integration', integration_id: id }, now);
  const result = await createIntegration(integration, key);
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
  return { integration, key };
};

/** Changes the given fields. @throws NotFoundError */
export const updateIntegration = async (id: IntegrationId, changes: IntegrationChanges): Promise<Integration> =>
  (await changeIntegration(id, { ...changes, updated_at: timestamp(systemClock()) })) ?? notFound(id);

/** Finds an integration. @throws NotFoundError, also for one that is being deleted */
const findIntegration = async (id: IntegrationId): Promise<Integration> => (await readIntegration(id)) ?? notFound(id);

/**
 * Finds an integration that the caller can see: staff any, an integration itself.
 * @throws NotFoundError, NoPermissionError, in this order (docs/compatibility.md, "Order of checks")
 */
export const findVisibleIntegration = async (id: IntegrationId, caller: Caller): Promise<Integration> => {
  const integration = await findIntegration(id);
  if (caller.kind === 'integration' && caller.integrationId !== id)
    throw new NoPermissionError('The key of an integration cannot read another integration.', {
      help: `It can read its own: GET /admin/integrations/${caller.integrationId}/. Otherwise use the key of an Owner or Administrator.`,
    });
  return integration;
};

/**
 * Replaces a key that is lost or was leaked. The new key has a new id, so that environments which have cached the old secret
 * accept it.
 * @throws NotFoundError for the integration or the key
 */
export const refreshKey = async (id: IntegrationId, old: ApiKeyId): Promise<WithNewKey> => {
  const integration = await findIntegration(id);
  const key = newApiKey({ kind: 'integration', integration_id: id }, timestamp(systemClock()));
  if (!(await replaceKey(id, old, key)))
    throw new NotFoundError(`The integration has no key with the id \`${old}\`.`, {
      property: 'key_id',
      help: `GET /admin/integrations/${id}/?include=api_keys lists its keys.`,
    });
  return { integration, key };
};

const notFound = (id: IntegrationId): never => {
  throw noIntegration(id);
};

export const noIntegration = (id: IntegrationId): NotFoundError =>
  new NotFoundError(`No integration has the id \`${id}\`.`, { help: 'GET /admin/integrations/ lists them.' });
