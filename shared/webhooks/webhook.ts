/** A webhook: the 13 fields that clients see, and additional stored fields. */
import * as v from 'valibot';
import type { CohortId, IntegrationId, WebhookId } from '../foundation/ids.ts';
import { field, idSchema, present, type Resource, timeSchema } from '../foundation/resource.ts';
import type { Health } from './health.ts';

/** All 13 fields are in every response that holds a webhook (docs/compatibility.md, "Webhooks"). */
export const webhookResource = v.strictObject({
  id: field(idSchema<WebhookId>(), 'The id of the webhook.'),
  event: field(v.string(), 'The name of the event it subscribes to.', 'post.published'),
  target_url: field(
    v.string(),
    'Where deliveries are posted: an absolute https URL on the public internet, at most 2000 characters.',
    'https://hooks.bookshop.example/masthead',
  ),
  name: field(v.nullable(v.string()), 'A name for people. An empty string becomes null.', 'New posts'),
  secret: field(
    v.nullable(v.string()),
    'Signs deliveries. After `whsec_` it must be base64 of 24 to 64 bytes; other secrets are used as they are. Returned in the response to the request that sets it, and not returned again.',
  ),
  api_version: field(v.string(), 'The API version of its payloads: `v6`, `v6.0`, `canary`, …', 'v6.0'),
  integration_id: field(
    idSchema<IntegrationId>(),
    'The integration that owns the webhook. Required with a staff key; ignored with the key of an integration.',
  ),
  status: field(
    v.picklist(['available', 'disabled']),
    '`disabled` on request, after several days in which every delivery failed, or when the receiver asks for it. Enabling it, any update or a successful ping makes it `available`.',
  ),
  last_triggered_at: field(v.nullable(timeSchema), 'When the last delivery attempt was made.'),
  last_triggered_status: field(
    v.nullable(v.string()),
    'The HTTP status of the last attempt, as a string; null without a response.',
  ),
  last_triggered_error: field(v.nullable(v.string()), 'The error of the last attempt; null after a success.'),
  created_at: field(timeSchema, 'When the webhook was created.'),
  updated_at: field(timeSchema, 'When the webhook was last updated.'),
});

export type WebhookResource = Resource<typeof webhookResource>;

/** The notices to a webhook's owners: it starts to fail, it is disabled, or its receiver requested to disable it. */
export const notices = ['failing', 'disabled', 'declined'] as const;
export type Notice = (typeof notices)[number];

/** A secret that receivers may still verify with. */
export interface PreviousSecret {
  readonly secret: string;
  /** ISO time. */
  readonly until: string;
}

/** What subscribers of the operational events are to be notified of; it is in the record until the event is in the queue. */
export interface Announcement {
  readonly event: 'webhook.failing' | 'webhook.disabled' | 'webhook.recovered';
  /** Why it is disabled: every delivery failed, the receiver asked for it, or a request did; null for the other events. */
  readonly reason: 'failing' | 'receiver' | 'request' | null;
  /** ISO time of the change. */
  readonly at: string;
}

export interface Webhook extends WebhookResource {
  /** With which webhooks its deliveries are recorded, for as long as it exists (`shared/deliveries/records/cohort.ts`); absent: with none. */
  readonly cohort?: CohortId | undefined;
  /** The secrets before rotations, newest first, each of which signs as well until its own end. */
  readonly previous_secrets?: readonly PreviousSecret[];
  /** Since when every attempt has failed; absent while the webhook is healthy. */
  readonly failing_since?: string;
  /** When the owners were first warned. */
  readonly warned_at?: string;
  /** The operational events that still have to be published. */
  readonly announcements?: readonly Announcement[];
  /** The notice that still has to be sent to the owners. */
  readonly notice?: Notice;
  /** Absent while the webhook is healthy. */
  readonly health?: Health;
  /** Names the write of `health`. */
  readonly health_revision?: string;
  /** When the next turn in the slow lane is free, in epoch ms. */
  readonly turn_at?: number;
}

/** What an integration's pointer to a webhook has of it: what never changes. */
export interface WebhookPointer extends Pick<Webhook, 'cohort'> {
  readonly webhook_id: WebhookId;
}

/** The attributes of a webhook that is not healthy, or was not. A successful update ends their story and removes them. */
export const healthAttributes = [
  'failing_since',
  'warned_at',
  'notice',
  'due',
  'due_at',
  'health',
  'health_revision',
  'turn_at',
] as const;

/** Returns the secrets before rotations with which receivers may still verify at a time in epoch ms, newest first. */
export const previousSecrets = (
  { previous_secrets = [] }: Pick<Webhook, 'previous_secrets'>,
  now: number,
): readonly PreviousSecret[] => previous_secrets.filter(({ until }) => Date.parse(until) > now);

/** Presents a webhook, with its secret only if this request has set it. */
export const presentWebhook = (webhook: Webhook, { secret = null }: { secret?: string | null } = {}): WebhookResource =>
  present(webhookResource, { ...webhook, secret });

/** The response to a rotation of the secret. */
export const secretResource = v.strictObject({
  secret: field(
    v.pipe(v.string(), v.startsWith('whsec_')),
    'The new secret. Not returned again.',
    'whsec_bm90IGEgc2VjcmV0LCBhbiBleGFtcGxlIG9mIG9uZSE=',
  ),
  previous_valid_until: field(
    v.nullable(timeSchema),
    'Until when deliveries are also signed with the secret before this one; null without one.',
  ),
});
