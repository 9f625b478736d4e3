/** Integrations: other systems that act with keys of their own, own webhooks and may publish. */
import type { IntegrationId, KeyId } from '../foundation/ids.ts';
import type { WebhookResource } from '../webhooks/webhook.ts';
import type { ApiKeyResponse, IntegrationResponse } from './response.ts';

export interface Integration {
  readonly id: IntegrationId;
  readonly name: string;
  /** A readable name made of the first `name`; it stays when the name changes, and is not unique. */
  readonly slug: string;
  readonly description: string | null;
  /** Who is mailed about failing webhooks; null for nobody. */
  readonly contact_email: string | null;
  /** Whether its keys may publish events. */
  readonly can_publish: boolean;
  readonly created_at: string;
  readonly updated_at: string;
  /** Since when it is being deleted: nobody sees it any more, and what it owned is on its way out. */
  readonly deleting_since?: string;
}

/** What the integration's own partition keeps of a key: never the secret. */
export interface ApiKeyPointer {
  readonly id: KeyId;
  readonly created_at: string;
}

/** `Our shop!` → `our-shop`, as Ghost does. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 191) || 'integration';

interface Included {
  readonly webhooks?: readonly WebhookResource[] | undefined;
  readonly api_keys?: readonly ApiKeyResponse[] | undefined;
}

/** What clients see of an integration, with what they asked to include; `type` and `icon_image` are there for Ghost's clients. */
export const presentIntegration = (integration: Integration, included: Included = {}): IntegrationResponse => ({
  id: integration.id,
  type: 'custom',
  name: integration.name,
  slug: integration.slug,
  icon_image: null,
  description: integration.description,
  contact_email: integration.contact_email,
  can_publish: integration.can_publish,
  created_at: integration.created_at,
  updated_at: integration.updated_at,
  ...(included.webhooks && { webhooks: [...included.webhooks] }),
  ...(included.api_keys && { api_keys: [...included.api_keys] }),
});

/** What clients see of a key: with its secret, in the form in which clients are given it, only when it has just been made. */
export const presentApiKey = (
  integration: IntegrationId,
  key: ApiKeyPointer,
  { secret }: { readonly secret?: string } = {},
): ApiKeyResponse => ({
  id: key.id,
  type: 'admin',
  secret: secret === undefined ? null : `${key.id}:${secret}`,
  integration_id: integration,
  created_at: key.created_at,
  updated_at: key.created_at,
});
