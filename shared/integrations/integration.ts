/** Integrations and their API keys: the fields that clients see, and additional stored fields. */
import * as v from 'valibot';
import type { Target } from '../audit/resource.ts';
import { timestamp } from '../foundation/clock.ts';
import { emailAddress, normalizedEmail } from '../foundation/email.ts';
import { emptyAsNull, maxChars, plainName, text } from '../foundation/fields.ts';
import type { ApiKeyId, IntegrationId } from '../foundation/ids.ts';
import {
  field,
  idSchema,
  present,
  type Resource,
  resource,
  timeSchema,
  type WritableName,
  writable,
  writableFields,
} from '../foundation/resource.ts';
import { type Scope, scopes } from '../foundation/scopes.ts';
import { type ListedWebhook, listedWebhookResource } from '../webhooks/webhook.ts';

export const apiKeyResource = resource('ApiKey', {
  id: field(idSchema<ApiKeyId>(), 'The id of the key: the `kid` of tokens.'),
  type: field(v.literal('admin'), 'Always `admin`: all keys are Admin API keys.', 'admin'),
  secret: field(
    v.nullable(v.pipe(v.string(), v.regex(/^[0-9a-f]{24}:[0-9a-f]{64}$/))),
    'The complete key, `id:secret`, in the response to the request that creates it. Not returned again.',
  ),
  integration_id: field(idSchema<IntegrationId>(), 'The integration that owns the key.'),
  created_at: field(timeSchema, 'When the key was created.'),
  updated_at: field(timeSchema, 'The same as `created_at`: a key is replaced, never updated.'),
  last_seen_at: field(v.nullable(timeSchema), 'When the key was last used, to the hour; null if not within 400 days.'),
  scopes: field(
    v.nullable(v.array(v.picklist(scopes))),
    'What the key is limited to: to publish events, to manage webhooks, to invite, or to read. ' +
      'Null: all that the integration may do.',
    null,
  ),
  valid_until: field(
    v.nullable(timeSchema),
    'When the key ends: at the time that was chosen for it, or after the overlap of its replacement. ' +
      'Null: it does not end.',
  ),
});

const flag = v.boolean('must be true or false.');

/** Lengths are Ghost's. Types, validation, storage, the audit log and documents derive from this schema. */
export const integrationResource = resource('Integration', {
  id: field(idSchema<IntegrationId>(), 'The id of the integration.'),
  type: field(v.literal('custom'), 'Always `custom`; present for clients of Ghost, which has other types.', 'custom'),
  name: writable(field(plainName, 'The name, at most 191 characters.', 'Bookshop')),
  slug: field(v.string(), 'Derived from the first name. Not unique, and not changed with the name.', 'bookshop'),
  icon_image: field(v.null(), 'Always null: Masthead stores no icons.'),
  description: writable(
    field(
      v.pipe(v.nullable(v.pipe(text, maxChars(2000))), emptyAsNull),
      'A description for people, at most 2000 characters.',
      'Sells what we review',
    ),
  ),
  contact_email: writable(
    field(
      v.pipe(v.nullable(v.pipe(text, maxChars(191))), emptyAsNull, v.nullable(emailAddress(191))),
      'The address that is notified when a webhook of the integration keeps failing, once it has confirmed that with ' +
        'the link that it is sent.',
      'ops@bookshop.example',
    ),
  ),
  contact_confirmed: field(v.boolean(), 'Whether it has.', false),
  can_publish: writable(field(flag, 'Whether keys of the integration can publish events.', false)),
  can_receive_staff_events: writable(
    field(
      flag,
      'Whether its webhooks can subscribe to `staff.*` events, which have the names and addresses of staff. ' +
        'Without it, such webhooks receive nothing.',
      false,
    ),
  ),
  created_at: field(timeSchema, 'When the integration was created.'),
  updated_at: field(timeSchema, 'When the integration was last updated.'),
  webhooks: field(
    v.optional(v.array(listedWebhookResource)),
    'Its webhooks, newest first; only with `include=webhooks`.',
  ),
  api_keys: field(
    v.optional(v.array(apiKeyResource)),
    'Its keys; only with `include=api_keys`, and in responses to requests that create a key.',
  ),
});

export const inboundSecretResource = resource('InboundSecret', {
  secret: field(
    v.string(),
    'The secret for the webhooks at Ghost. Not returned again.',
    '9c1b2a3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9',
  ),
});

export type ApiKeyResource = Resource<typeof apiKeyResource>;
export type IntegrationResource = Resource<typeof integrationResource>;

type Included = 'webhooks' | 'api_keys';

export interface Integration extends Omit<IntegrationResource, 'type' | 'icon_image' | 'contact_confirmed' | Included> {
  /** The address of a contact that has confirmed it. */
  readonly confirmed_contact?: string;
  /** Since when it is being deleted: it is no longer shown, and its keys and webhooks are being removed. */
  readonly deleting_since?: string;
  /** The secret with which its Ghost site signs; missing until one is created. Never shown again. */
  readonly inbound_secret?: string;
  /** What the site's signatures have covered so far; missing before the first one. A new secret removes it. */
  readonly inbound_signature?: InboundSignature;
}

/** What a Ghost site signs. Ghost 5.0 to 5.87 sign only the body. */
export type InboundSignature = 'body' | 'body_and_time';

/** Returns an integration as a target of the audit log. */
export const asTarget = ({ id, name }: Pick<Integration, 'id' | 'name'>): Target => ({ type: 'integration', id, name });

/** Returns the fields of an integration whose changes the audit log records. */
export const shownToAudit = (integration: Integration): Pick<Integration, WritableName<typeof integrationResource>> =>
  writableFields(integrationResource, integration);

/** The item of a key in the partition of its integration, without the secret. */
export interface ApiKeyPointer {
  readonly id: ApiKeyId;
  readonly created_at: string;
  readonly scopes?: readonly Scope[];
  /** Epoch ms; absent without an end. */
  readonly valid_until?: number;
  /** Whether it was replaced, with an overlap. */
  readonly is_replaced?: true;
}

/** With its last use, if it is known. */
export type ApiKeyPointerWithUse = ApiKeyPointer & { readonly last_seen_at?: string | undefined };

/** Returns an integration's confirmed contact, in the form in which addresses are compared. */
export const contactOf = ({
  contact_email,
  confirmed_contact,
}: Pick<Integration, 'contact_email' | 'confirmed_contact'>): string | undefined =>
  contact_email !== null && contact_email === confirmed_contact ? normalizedEmail(contact_email) : undefined;

/** Presents an integration with the requested inclusions. */
export const presentIntegration = (
  integration: Integration,
  included: {
    readonly webhooks?: readonly ListedWebhook[] | undefined;
    readonly api_keys?: readonly ApiKeyResource[] | undefined;
  } = {},
): IntegrationResource =>
  present(integrationResource, {
    ...integration,
    ...included,
    type: 'custom',
    icon_image: null,
    contact_confirmed: contactOf(integration) !== undefined,
  });

/** Presents a key; with `secret`, as `id:secret`, only in the response to the request that creates it. */
export const presentApiKey = (
  integrationId: IntegrationId,
  key: ApiKeyPointerWithUse,
  secret?: string,
): ApiKeyResource =>
  present(apiKeyResource, {
    id: key.id,
    type: 'admin',
    secret: secret === undefined ? null : `${key.id}:${secret}`,
    integration_id: integrationId,
    created_at: key.created_at,
    updated_at: key.created_at,
    last_seen_at: key.last_seen_at ?? null,
    scopes: key.scopes === undefined ? null : [...key.scopes],
    valid_until: key.valid_until === undefined ? null : timestamp(key.valid_until),
  });
