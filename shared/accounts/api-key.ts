/** Admin API keys: `{24 hex id}:{64 hex secret}`, each of an integration or a staff member. */
import { randomBytes } from 'node:crypto';
import type { ApiKeyId, IntegrationId, StaffId } from '../foundation/ids.ts';
import { newId } from '../foundation/new-id.ts';
import type { Scope } from '../foundation/scopes.ts';

export type ApiKeyOwner =
  | { readonly kind: 'integration'; readonly integration_id: IntegrationId }
  | { readonly kind: 'staff'; readonly staff_id: StaffId };

export interface ApiKey {
  readonly id: ApiKeyId;
  /** 64 hex characters. */
  readonly secret: string;
  readonly owner: ApiKeyOwner;
  readonly created_at: string;
  /** What the key of an integration is limited to; absent if it may do all that the integration may. */
  readonly scopes?: readonly Scope[];
  /** Until when it is valid, in epoch ms; absent without an end. */
  readonly valid_until?: number;
}

export type KeyLimits = Pick<ApiKey, 'scopes' | 'valid_until'>;

/** Whether a key has ended at `now`; DynamoDB deletes it up to two days later. */
export const isOver = ({ valid_until }: Pick<ApiKey, 'valid_until'>, now: number): boolean =>
  valid_until !== undefined && valid_until <= now;

/** Creates a key with a secret of 32 random bytes; `createdAt` is an ISO timestamp. */
export const newApiKey = (owner: ApiKeyOwner, createdAt: string, limits: KeyLimits = {}): ApiKey => ({
  id: newId<ApiKeyId>(),
  secret: randomBytes(32).toString('hex'),
  owner,
  created_at: createdAt,
  ...limits,
});
