/** A webhook: what is kept of it, and what clients see. */
import type { IntegrationId, WebhookId } from '../foundation/ids.ts';

/** What a webhook's owners are told: the first sign of failing, that it is disabled, or that its own receiver wanted it to be. */
export const notices = ['failing', 'disabled', 'declined'] as const;
export type Notice = (typeof notices)[number];

export interface Webhook {
  readonly id: WebhookId;
  readonly event: string;
  readonly target_url: string;
  readonly name: string | null;
  readonly secret: string | null;
  readonly api_version: string;
  readonly integration_id: IntegrationId;
  readonly status: 'available' | 'disabled';
  readonly last_triggered_at: string | null;
  readonly last_triggered_status: string | null;
  readonly last_triggered_error: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  /** The secret before the last rotation, which signs as well until `previous_secret_until`. */
  readonly previous_secret?: string;
  readonly previous_secret_until?: string;
  /** Since when every attempt has failed; not there while all is well. */
  readonly failing_since?: string;
  /** When the first sign of it was seen, which its owners are told. */
  readonly warned_at?: string;
  /** What they have still to be told. */
  readonly notice?: Notice;
}

/** The 13 fields of the contract, in its order; the secret only where the caller has just set it. */
export const presentWebhook = (webhook: Webhook, { secret = null }: { secret?: string | null } = {}) => ({
  id: webhook.id,
  event: webhook.event,
  target_url: webhook.target_url,
  name: webhook.name,
  secret,
  api_version: webhook.api_version,
  integration_id: webhook.integration_id,
  status: webhook.status,
  last_triggered_at: webhook.last_triggered_at,
  last_triggered_status: webhook.last_triggered_status,
  last_triggered_error: webhook.last_triggered_error,
  created_at: webhook.created_at,
  updated_at: webhook.updated_at,
});
