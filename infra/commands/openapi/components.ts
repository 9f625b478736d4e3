/**
 * The named schemas of the OpenAPI document: those of requests, which handlers parse with, and those of resources. Fields of a
 * request have the description and examples of the resource that it is `like`, unless `fields` overrides them.
 */
import * as v from 'valibot';
import { roleResource } from '../../../shared/accounts/role.ts';
import { replayResource } from '../../../shared/deliveries/replays/resource.ts';
import { newReplay } from '../../../shared/deliveries/replays/schema.ts';
import { deliveryResource, deliveryWithLogResource } from '../../../shared/deliveries/resource.ts';
import { ghostEvents, mastheadEvents } from '../../../shared/events/catalogue.ts';
import { eventResource, newEvent } from '../../../shared/events/schema.ts';
import { field } from '../../../shared/foundation/resource.ts';
import type { Settings } from '../../../shared/foundation/settings.ts';
import { errorEnvelope } from '../../../shared/http/error-response.ts';
import { apiKeyResource, integrationResource } from '../../../shared/integrations/integration.ts';
import { integrationChanges, newIntegration } from '../../../shared/integrations/schema.ts';
import { acceptanceResource, invitationStatusResource, newAcceptance } from '../../../shared/invites/acceptance.ts';
import { inviteResource } from '../../../shared/invites/invite.ts';
import { newInvite } from '../../../shared/invites/schema.ts';
import * as webhooks from '../../../shared/webhooks/schema.ts';
import { secretResource, webhookResource } from '../../../shared/webhooks/webhook.ts';

/** The document is the same for all stages, without their own events and allowed ranges. */
const rules: Pick<Settings, 'ownEvents' | 'targets'> = {
  ownEvents: [],
  targets: { allowHttp: false, allowRanges: [] },
};

const ofStaff = webhooks.newWebhook(rules).entries;

/** `integration_id` is required with a staff key only, which a schema cannot express. */
export const newWebhook = v.object({ ...ofStaff, integration_id: v.optional(ofStaff.integration_id) });
export const webhookChanges = webhooks.webhookChanges(rules);
export const eventToPublish = newEvent(rules);

const pagination = v.strictObject({
  limit: field(v.number(), 'The maximum number of items on a page.'),
  next: field(v.nullable(v.string()), 'The `cursor` of the next page; null on the last page.'),
});

interface Component {
  readonly schema: v.GenericSchema;
  /** The component whose descriptions and examples its fields share. */
  readonly like?: string;
  /** Additional keywords of JSON Schema by field. */
  readonly fields?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const subscribable = { examples: [...ghostEvents, ...mastheadEvents] };

export const components: Readonly<Record<string, Component>> = {
  Webhook: { schema: webhookResource },
  NewWebhook: { schema: newWebhook, like: 'Webhook', fields: { event: subscribable } },
  WebhookChanges: { schema: webhookChanges, like: 'Webhook', fields: { event: subscribable } },
  Secret: { schema: secretResource },
  Role: { schema: roleResource },
  Invite: { schema: inviteResource },
  NewInvite: { schema: newInvite, like: 'Invite' },
  InvitationStatus: { schema: invitationStatusResource },
  NewAcceptance: {
    schema: newAcceptance,
    fields: { password: { minLength: 10, writeOnly: true } },
  },
  Acceptance: { schema: acceptanceResource },
  Event: { schema: eventResource },
  NewEvent: {
    schema: eventToPublish,
    like: 'Event',
    fields: {
      event: { examples: ghostEvents },
      payload: {
        description:
          'The payload of deliveries: `{"<resource>": {"current": {…}, "previous": {…}}}`, where the resource is the first part of the event name; `{}` for `site.changed`.',
      },
    },
  },
  Delivery: { schema: deliveryResource },
  DeliveryWithLog: { schema: deliveryWithLogResource },
  Replay: { schema: replayResource },
  NewReplay: {
    schema: newReplay,
    like: 'Replay',
    fields: {
      since: { examples: ['2026-11-20T09:00:00Z', '2026-11-20'] },
      until: { examples: ['2026-11-21T09:00:00Z', '2026-11-21'] },
    },
  },
  Integration: { schema: integrationResource },
  ApiKey: { schema: apiKeyResource },
  NewIntegration: { schema: newIntegration, like: 'Integration' },
  IntegrationChanges: { schema: integrationChanges, like: 'Integration' },
  Pagination: { schema: pagination },
  Errors: { schema: errorEnvelope },
};

/** Returns the name of a schema. @throws for a schema that is not a component */
export const componentName = (schema: v.GenericSchema): string => {
  const found = Object.entries(components).find(([, component]) => component.schema === schema);
  if (found === undefined)
    throw new Error('A schema of an operation is missing in infra/commands/openapi/components.ts.');
  return found[0];
};
