/** Admin API keys: `{24 hex id}:{64 hex secret}`, each an integration's or a staff member's. */
import { randomBytes } from 'node:crypto';
import type { Ids, IntegrationId, KeyId, StaffId } from '../foundation/ids.ts';

/** Whose key it is. */
export type KeyOwner =
  | { readonly kind: 'integration'; readonly integration_id: IntegrationId }
  | { readonly kind: 'staff'; readonly staff_id: StaffId };

export interface ApiKey {
  readonly id: KeyId;
  /** 64 hex characters. */
  readonly secret: string;
  readonly owner: KeyOwner;
  readonly created_at: string;
}

/** A key's secret: 32 random bytes as 64 hex characters. */
export const newSecret = (): string => randomBytes(32).toString('hex');

/** A new key for its owner; `created_at` is an ISO timestamp. */
export const newKey = (ids: Ids, owner: KeyOwner, createdAt: string): ApiKey => ({
  id: ids<KeyId>(),
  secret: newSecret(),
  owner,
  created_at: createdAt,
});
