/** Where API keys lie in the table, by their id. */
import type { KeyId } from '../foundation/ids.ts';
import { exists, missing } from '../table/condition.ts';
import { get } from '../table/item.ts';
import type { Key } from '../table/table-key.ts';
import type { Write } from '../table/transaction.ts';
import type { ApiKey } from './api-key.ts';

export const apiKeyKey = (id: KeyId): Key => ({ pk: `KEY#${id}`, sk: 'KEY' });

export const readApiKey = (id: KeyId): Promise<ApiKey | undefined> => get<ApiKey>(apiKeyKey(id));

/** The write that makes a key valid. */
export const putApiKey = (key: ApiKey): Write => ({
  kind: 'put',
  item: { ...apiKeyKey(key.id), ...key },
  condition: missing(),
});

/** The check that there is a key of this id, for whoever may not read keys. */
export const checkApiKey = (id: KeyId): Write => ({ kind: 'check', key: apiKeyKey(id), condition: exists() });
