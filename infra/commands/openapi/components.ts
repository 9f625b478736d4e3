/**
 * The named schemas of the OpenAPI document: what handlers parse requests with, and what presenters answer with. Fields of a
 * request are described as those of the same name in the answer it is `like`; `fields` says what there is to say besides.
 */
import * as v from 'valibot';
import { roleResource } from '../../../shared/accounts/role.ts';
import { replayResource } from '../../../shared/deliveries/replays/resource.ts';
import { newReplay } from '../../../shared/deliveries/replays/schema.ts';
import { deliveryResource, deliveryWithLogResource } from '../../../shared/deliveries/resource.ts';
import { ghostEvents, mastheadEvents } from '../../../shared/events/catalogue.ts';
import { eventResource, newEvent } from '../../../shared/events/schema.ts';
import type { Settings } from '../../../shared/foundation/settings.ts';
import { errorEnvelope } from '../../../shared/http/error-response.ts';
import { apiKeyResource, integrationResource } from '../../../shared/integrations/integration.ts';
import { integrationChanges, newIntegration } from '../../../shared/integrations/schema.ts';
import { acceptanceResource, invitationStatusResource, newAcceptance } from '../../../shared/invites/acceptance.ts';
import { inviteResource } from '../../../shared/invites/invite.ts';
import { newInvite } from '../../../shared/invites/schema.ts';
import * as webhooks from '../../../shared/webhooks/schema.ts';
import { secretResource, webhookResource } from '../../../shared/webhooks/webhook.ts';

/** A stage's own events and its ranges are not in the document, which is the same for all stages. */
const rules: Pick<Settings, 'ownEvents' | 'targets'> = {
  ownEvents: [],
  targets: { allowHttp: false, allowRanges: [] },
};

const ofStaff = webhooks.newWebhook(rules).entries;

/** Staff keys have to name the integration, and an integration's key need not: a document cannot say which key is used. */
export const newWebhook = v.object({ ...ofStaff, integration_id: v.optional(ofStaff.integration_id) });
export const webhookChanges = webhooks.webhookChanges(rules);
export const eventToPublish = newEvent(rules);

/** Where a list goes on. */
export const pagination = v.strictObject({
  limit: v.pipe(v.number(), v.description('Items on a page at most.')),
  next: v.pipe(
    v.nullable(v.string()),
    v.description('What to send as `cursor` for the next page; null where this is the last.'),
  ),
});

interface Component {
  readonly schema: v.GenericSchema;
  /** Name of the component whose descriptions its fields share. */
  readonly like?: string;
  /** Keywords of JSON Schema for fields, such as a description or known values. */
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
          'What webhooks get: `{"<resource>": {"current": {…}, "previous": {…}}}`, where the resource is the first part of the event\'s name; `{}` for `site.changed`.',
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

/** Name of a schema. @throws where it is none of the components */
export const componentName = (schema: v.GenericSchema): string => {
  const found = Object.entries(components).find(([, component]) => component.schema === schema);
  if (found === undefined)
    throw new Error('A schema of an operation is not among those of infra/commands/openapi/components.ts.');
  return found[0];
};
