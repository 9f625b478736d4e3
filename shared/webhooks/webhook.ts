/** A webhook: the 13 fields that clients see, and additional stored fields. */
import * as v from 'valibot';
import { emptyAsNull, maxChars, text } from '../foundation/fields.ts';
import type { IntegrationId, WebhookId } from '../foundation/ids.ts';
import {
  field,
  idSchema,
  present,
  presentWithSecrets,
  type Resource,
  resource,
  secret,
  timeSchema,
  type WritableName,
  writable,
} from '../foundation/resource.ts';
import type { Health } from './health.ts';

const optionalText = v.pipe(v.nullable(v.pipe(text, maxChars(191))), emptyAsNull);

/**
 * Every response with a webhook has all 13 fields (docs/compatibility.md, "Webhooks"). Types, validation, storage and
 * documents derive from this schema; rules that depend on the stage are in `schema.ts`.
 */
export const webhookResource = resource('Webhook', {
  id: field(idSchema<WebhookId>(), 'The id of the webhook.'),
  event: writable(
    field(
      v.string(),
      'The events it subscribes to: a name, or at most 40 separated by commas. ' +
        '`post.*` means all events of posts, and `*` those of all resources, also those that the stage adds later; ' +
        "only Masthead's own need their names. A webhook gets an event once, however its names overlap.",
      'post.published',
    ),
  ),
  target_url: writable(
    field(
      v.pipe(text, maxChars(2000)),
      'Where deliveries are posted: an absolute https URL on the public internet, at most 2000 characters.',
      'https://hooks.bookshop.example/masthead',
    ),
  ),
  name: writable(field(optionalText, 'A name for people. An empty string becomes null.', 'New posts')),
  secret: secret(
    field(
      optionalText,
      'Signs deliveries. After `whsec_` it must be base64 of 24 to 64 bytes; ' +
        'other secrets are used as they are. Returned in the response to the request that sets it, and not returned ' +
        'again.',
    ),
  ),
  api_version: writable(
    field(
      v.pipe(text, maxChars(50), v.regex(/^(?:v\d+(?:\.\d+)?|canary)$/, 'must have the form v6, v6.0 or canary.')),
      'The API version of its payloads: `v6`, `v6.0`, `canary`, …',
      'v6.0',
    ),
  ),
  integration_id: field(
    idSchema<IntegrationId>(),
    'The integration that owns the webhook. Required with a staff key; ignored with the key of an integration.',
  ),
  status: field(
    v.picklist(['available', 'disabled']),
    '`disabled` on request, after several days in which every delivery failed, or when the receiver asks for it, for ' +
      'example with a 410; then it is deleted if nobody changes it for 30 days. ' +
      'Enabling it, or a successful ping, makes it `available`; only staff can enable what staff have disabled. ' +
      'A new `target_url` does so too, but not if a client had disabled it.',
  ),
  last_triggered_at: field(
    v.nullable(timeSchema),
    'When the last attempt for an event was made. Redeliveries and replays do not count.',
  ),
  last_triggered_status: field(
    v.nullable(v.string()),
    'The HTTP status of the last attempt, as a string; null without a response.',
  ),
  last_triggered_error: field(
    v.nullable(v.string()),
    'The error of the last attempt; null after a success. A ping changes this only if it succeeds on a failing ' +
      'webhook.',
  ),
  created_at: field(timeSchema, 'When the webhook was created.'),
  updated_at: field(timeSchema, 'When the webhook was last updated.'),
});

export type WebhookResource = Resource<typeof webhookResource>;

export const listedWebhookResource = resource('ListedWebhook', {
  ...webhookResource.entries,
  has_options: field(v.optional(v.literal(true)), 'Only if it has options, which have an endpoint of their own.'),
  failing_since: field(v.optional(timeSchema), 'Only while every attempt fails: since when.'),
  declined: field(
    v.optional(
      v.strictObject({
        at: field(timeSchema, 'When.'),
        answer: field(
          v.string(),
          'The status and the start of its answer, at most 100 characters, without secrets of the request.',
          '410 channel_is_archived',
        ),
        deletion_at: field(timeSchema, 'When it is deleted if nobody changes it.'),
      }),
    ),
    'Only if it is disabled because its receiver asked for that: what it said.',
  ),
});

export type ListedWebhook = Resource<typeof listedWebhookResource>;

/** The fields that a PUT can change. A form that omits one does not compile. */
export type WritableField = WritableName<typeof webhookResource>;

/** What a webhook's owners are told: it keeps failing, is disabled, was declined by its receiver, or works again. */
export const notices = ['failing', 'disabled', 'declined', 'recovered'] as const;
export type Notice = (typeof notices)[number];

/** A secret that receivers may still verify with. */
export interface PreviousSecret {
  readonly secret: string;
  /** ISO time. */
  readonly until: string;
}

export interface StatusEvent {
  readonly name: 'webhook.failing' | 'webhook.disabled' | 'webhook.recovered';
  /** Why it is disabled: every delivery failed, the receiver asked, or a client did. Null for the other events. */
  readonly reason: 'failing' | 'receiver' | 'request' | null;
}

export interface Webhook extends WebhookResource {
  /** Earlier secrets, newest first. Each of them also signs until its own end. */
  readonly previous_secrets?: readonly PreviousSecret[];
  /** Identifies the last write of its options, which are stored in their own item; absent without options. */
  readonly options_revision?: string;
  /** Since when every attempt has failed; absent while the webhook is healthy. */
  readonly failing_since?: string;
  /** Why it is disabled, as in the event, or `staff` if staff requested it; absent while it is available. */
  readonly disabled_for?: NonNullable<StatusEvent['reason']> | 'staff';
  /** ISO time at which its receiver declined it; present exactly if that is why it is disabled. */
  readonly declined_at?: string;
  /** What the receiver said then: its status and the start of its text, without secrets. */
  readonly declined_with?: string;
  /** When the owners were first warned. */
  readonly warned_at?: string;
  readonly health?: Health;
  /** Identifies the last write of `health`. */
  readonly health_revision?: string;
  /** Whether its target has answered the last attempt with success; absent before the first. */
  readonly accepts?: boolean;
  /** Its circuit breaker was open, and not all that waited since then is released (`backlog.ts`). */
  readonly backlog?: true;
  /** ISO time of the success that began the running release. */
  readonly releasing?: string;
  /** ISO time at which the sweep sends what may wait for it (`backlog.ts`), or has it deleted as it was declined. */
  readonly due_at?: string;
}

export interface WebhookPointer {
  readonly webhook_id: WebhookId;
}

export const declinedAttributes = ['declined_at', 'declined_with'] as const;

/** The attributes that a webhook has after failures. Enabling it, or a new target URL, removes them. */
export const healthAttributes = [
  'disabled_for',
  ...declinedAttributes,
  'failing_since',
  'warned_at',
  'health',
  'health_revision',
  'releasing',
  'accepts',
] as const;

/** Returns the earlier secrets that still sign at a time in epoch ms, newest first. */
export const previousSecrets = (
  { previous_secrets = [] }: Pick<Webhook, 'previous_secrets'>,
  now: number,
): readonly PreviousSecret[] => previous_secrets.filter(({ until }) => Date.parse(until) > now);

/** Presents a webhook. */
export const presentWebhook = (webhook: Webhook): WebhookResource => present(webhookResource, webhook);

/** Presents a webhook in the response to the request that creates it, with its secret. */
export const presentNewWebhook = (webhook: Webhook): WebhookResource => presentWithSecrets(webhookResource, webhook);

export const secretResource = resource('Secret', {
  secret: field(
    v.pipe(v.string(), v.startsWith('whsec_')),
    'The new secret. Not returned again.',
    'whsec_bm90IGEgc2VjcmV0LCBhbiBleGFtcGxlIG9mIG9uZSE=',
  ),
  previous_valid_until: field(
    v.nullable(timeSchema),
    'Until then, deliveries are also signed with the previous secret. Null if there was none.',
  ),
});
