/** Admin API keys: `{24 hex id}:{64 hex secret}`, each of an integration or a staff member. */
import { randomBytes } from 'node:crypto';
import { type ApiKeyId, type IntegrationId, newId, type StaffId } from '../foundation/ids.ts';

export type ApiKeyOwner =
  | { readonly kind: 'integration'; readonly integration_id: IntegrationId }
  | { readonly kind: 'staff'; readonly staff_id: StaffId };

export interface ApiKey {
  readonly id: ApiKeyId;
  /** 64 hex characters. */
  readonly secret: string;
  readonly owner: ApiKeyOwner;
  readonly created_at: string;
}

/** Creates a key with a secret of 32 random bytes; `createdAt` is an ISO timestamp. */
export const newApiKey = (owner: ApiKeyOwner, createdAt: string): ApiKey => ({
  id: newId<ApiKeyId>(),
  secret: randomBytes(32).toString('hex'),
  owner,
  created_at: createdAt,
});
