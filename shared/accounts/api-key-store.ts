/** Reads and writes API keys, by their id. */
import { second } from '../foundation/clock.ts';
import type { ApiKeyId } from '../foundation/ids.ts';
import { exists, missing } from '../table/condition.ts';
import { get } from '../table/item.ts';
import type { Key } from '../table/table-key.ts';
import type { Write } from '../table/transaction.ts';
import type { ApiKey } from './api-key.ts';

export const apiKeyKey = (id: ApiKeyId): Key => ({ pk: `KEY#${id}`, sk: 'KEY' });

export const readApiKey = (id: ApiKeyId): Promise<ApiKey | undefined> => get<ApiKey>(apiKeyKey(id));

/** The attributes of a key that ends at a time in epoch ms: DynamoDB may delete it then. */
export const endingAt = (validUntil: number) => ({
  valid_until: validUntil,
  expires_at: Math.ceil(validUntil / second),
});

/** Returns the write that makes a key valid. */
export const putApiKey = (key: ApiKey): Write => ({
  kind: 'put',
  item: { ...apiKeyKey(key.id), ...key, ...(key.valid_until !== undefined && endingAt(key.valid_until)) },
  condition: missing(),
});

/** Returns the write that lets a key end at a time in epoch ms. */
export const endApiKeyAt = (id: ApiKeyId, validUntil: number): Write => ({
  kind: 'update',
  key: apiKeyKey(id),
  change: { set: endingAt(validUntil) },
  condition: exists(),
});

/** Returns the write that makes a key invalid. */
export const deleteApiKey = (id: ApiKeyId): Write => ({ kind: 'delete', key: apiKeyKey(id) });

/** Returns the check that a key exists, for functions that may not read keys. */
export const checkApiKey = (id: ApiKeyId): Write => ({ kind: 'check', key: apiKeyKey(id), condition: exists() });
