/** Who gets Masthead's own events: the owner's integration for webhooks and relays, permitted ones for staff events. */
import { type EventBody, payloadOf } from '../../events/event.ts';
import { isStaffEvent, operationalEvents } from '../../foundation/event-names.ts';
import type { IntegrationId, WebhookId } from '../../foundation/ids.ts';
import { withStaffPermission } from '../../webhooks/staff-permission.ts';
import { readWebhook } from '../../webhooks/store.ts';
import type { Subscriber } from '../../webhooks/subscriptions.ts';

/** Returns the subscribers of a page that may receive the event. */
type Audience = (subscribers: readonly Subscriber[]) => Promise<readonly Subscriber[]>;

/** Returns the audience of an event: all its subscribers, except for Masthead's own events. */
export const audienceOf = async (body: EventBody): Promise<Audience> => {
  if (isStaffEvent(body.event)) return withPermission;
  if (!operationalEvents.includes(body.event)) return async (subscribers) => subscribers;
  const owner = await ownerOf(body);
  return async (subscribers) => subscribers.filter(({ integration_id }) => integration_id === owner);
};

const withPermission: Audience = async (subscribers) => {
  const permitted = await withStaffPermission(subscribers.map(({ integration_id }) => integration_id));
  return subscribers.filter(({ integration_id }) => permitted.has(integration_id));
};

/** Returns the integration of the event's webhook, if it exists. A large event is never Masthead's own: undefined. */
const ownerOf = async (body: EventBody): Promise<IntegrationId | undefined> => {
  if (body.parts !== undefined) return undefined;
  const { webhook, delivery, relay } = payloadOf(body) as {
    readonly relay?: { readonly current?: { readonly integration_id?: IntegrationId } };
    readonly webhook?: { readonly current?: { readonly integration_id?: IntegrationId } };
    readonly delivery?: { readonly current?: { readonly webhook_id?: WebhookId } };
  };
  const { webhook_id } = delivery?.current ?? {};
  if (webhook_id === undefined) return (webhook ?? relay)?.current?.integration_id;
  return (await readWebhook(webhook_id))?.integration_id;
};
