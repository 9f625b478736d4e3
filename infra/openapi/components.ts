/**
 * The named schemas of the OpenAPI document: those of requests, which handlers parse with, and those of resources. Fields of
 * `New<Resource>` and `<Resource>Changes` have the description and examples of the resource, unless `additions` has others.
 */
import * as v from 'valibot';
import { roleResource, sessionResource, userResource } from '../../shared/accounts/resource.ts';
import { userChanges } from '../../shared/accounts/staff-schema.ts';
import { staffTokenResource } from '../../shared/accounts/staff-token.ts';
import { auditResource } from '../../shared/audit/resource.ts';
import * as previews from '../../shared/deliveries/log/preview.ts';
import { previewResource, trialResource } from '../../shared/deliveries/log/resource.ts';
import { newTrial } from '../../shared/deliveries/log/trial.ts';
import * as pings from '../../shared/deliveries/replays/ping.ts';
import { replayResource } from '../../shared/deliveries/replays/resource.ts';
import { newReplay } from '../../shared/deliveries/replays/schema.ts';
import { deliveryResource, deliveryWithLogResource, pingResource } from '../../shared/deliveries/resource.ts';
import { eventResource, newEvent } from '../../shared/events/schema.ts';
import { ghostEvents, mastheadEvents } from '../../shared/foundation/event-names.ts';
import { field } from '../../shared/foundation/resource.ts';
import type { Settings } from '../../shared/foundation/settings.ts';
import { errorEnvelope } from '../../shared/http/error-response.ts';
import { apiKeyResource, inboundSecretResource, integrationResource } from '../../shared/integrations/integration.ts';
import { comparison } from '../../shared/integrations/relay/comparison.ts';
import { relayResource } from '../../shared/integrations/relay/resource.ts';
import { integrationChanges, keyReplacement, newIntegration } from '../../shared/integrations/schema.ts';
import { acceptanceResource, invitationStatusResource, newAcceptance } from '../../shared/invites/acceptance.ts';
import { inviteResource } from '../../shared/invites/resource.ts';
import { newInvite } from '../../shared/invites/schema.ts';
import { configResource, siteResource } from '../../shared/publication/site.ts';
import { newSession, newSignIn, signInResource } from '../../shared/sign-in/schema.ts';
import { statsResource } from '../../shared/stats/resource.ts';
import { optionsChanges } from '../../shared/webhooks/options.ts';
import { optionsResource } from '../../shared/webhooks/options-resource.ts';
import * as webhooks from '../../shared/webhooks/schema.ts';
import { secretResource, webhookResource } from '../../shared/webhooks/webhook.ts';
import { payloadResources } from './payloads.ts';

/** The document is the same for all stages, without their own events and allowed ranges. */
const rules: Pick<Settings, 'ownEvents' | 'targets'> = {
  ownEvents: [],
  targets: { allowHttp: false, allowRanges: [] },
};

const ofStaff = webhooks.newWebhook(rules).entries;

/** `integration_id` is required with a staff key only, which a schema cannot express. */
export const newWebhook = v.object({ ...ofStaff, integration_id: v.optional(ofStaff.integration_id) });
export const webhookChanges = webhooks.webhookChanges(rules);
export const newPreview = previews.newPreview(rules);
export const newPing = pings.newPing(rules);
export const eventToPublish = newEvent(rules);

const pagination = v.strictObject({
  limit: field(v.number(), 'The maximum number of items on a page.'),
  next: field(v.nullable(v.string()), 'The `cursor` of the next page; null on the last page.'),
});

/** The schemas by name. */
export const components: Readonly<Record<string, v.GenericSchema>> = {
  Webhook: webhookResource,
  NewWebhook: newWebhook,
  WebhookChanges: webhookChanges,
  Options: optionsResource,
  OptionsChanges: optionsChanges,
  Preview: previewResource,
  NewPreview: newPreview,
  Trial: trialResource,
  NewTrial: newTrial,
  Ping: pingResource,
  NewPing: newPing,
  Secret: secretResource,
  InboundSecret: inboundSecretResource,
  Role: roleResource,
  Invite: inviteResource,
  NewInvite: newInvite,
  InvitationStatus: invitationStatusResource,
  NewAcceptance: newAcceptance,
  Acceptance: acceptanceResource,
  Event: eventResource,
  NewEvent: eventToPublish,
  Delivery: deliveryResource,
  DeliveryWithLog: deliveryWithLogResource,
  Replay: replayResource,
  NewReplay: newReplay,
  Integration: integrationResource,
  ApiKey: apiKeyResource,
  NewIntegration: newIntegration,
  KeyReplacement: keyReplacement,
  IntegrationChanges: integrationChanges,
  Relay: relayResource,
  RelayChanges: comparison,
  Stats: statsResource,
  Site: siteResource,
  Config: configResource,
  User: userResource,
  UserChanges: userChanges,
  StaffToken: staffTokenResource,
  Session: sessionResource,
  NewSession: newSession,
  NewSignIn: newSignIn,
  SignIn: signInResource,
  ...Object.fromEntries(payloadResources.map(({ name, schema }) => [name, schema])),
  Pagination: pagination,
  AuditEntry: auditResource,
  Errors: errorEnvelope,
};

/** Without the own events of a stage, because the document is the same for all stages. */
const subscribable = { enum: [...ghostEvents, ...mastheadEvents] };

const atom = "[a-zA-Z0-9!#$%&'*+/=?^_`{|}~-]+";
const label = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';
/** An address as `emailAddress` accepts it, or an empty string; a request for an integration has it in a pipe that cannot be documented. */
const addressOrEmpty = {
  pattern: `^$|^(?=[^@]{1,64}@)${atom}(?:\\.${atom})*@(?:${label}\\.)+(?!\\d+$)${label}$`,
};

type Keywords = Readonly<Record<string, unknown>>;

/** Keywords of JSON Schema that the schemas of requests do not have, by component and field. */
export const additions: Readonly<Record<string, Readonly<Record<string, Keywords>>>> = {
  NewInvite: {
    send_email: { description: 'With `false` no mail is sent, and the response has the `link`. Default: true.' },
  },
  NewWebhook: { event: subscribable, options: { description: 'As in a PUT of the options, and stored together.' } },
  WebhookChanges: { event: subscribable, options: { description: 'As in a PUT of the options, and stored together.' } },
  OptionsChanges: {
    headers: {
      description:
        'The headers, at most 10; those of the transport, of signatures and `masthead-*` are refused. Null as a value keeps the stored one.',
      examples: [{ Authorization: 'Bearer 5e8c1f' }],
    },
    format: { description: 'A form with its settings. A secret that is null keeps its value, if the `type` stays.' },
    debounce: { description: 'Not supported yet.' },
    throttle: { description: 'Not supported yet.' },
  },
  NewPreview: {
    event: { ...subscribable, description: 'The name of the event.' },
    example: { description: 'True: the preview is of an example of the event. Can be omitted.' },
    event_id: { description: 'The id of an earlier event of this name, which is shown in place of the example.' },
    webhook_id: { description: 'A webhook that has had the event. Default: any that the caller can see.' },
    options: { description: 'The options to try; stored ones are not read.' },
  },
  NewPing: {
    event: {
      ...subscribable,
      description: 'The event of the example. Default: the event of the webhook.',
      examples: ['post.published'],
    },
    example: { description: 'Whether to send an example of the event in place of `webhook.ping`.' },
    event_id: { description: 'The id of an event that the webhook has had.' },
  },
  NewIntegration: { contact_email: addressOrEmpty },
  IntegrationChanges: { contact_email: addressOrEmpty },
  NewTrial: { filter: { description: 'The filter to try, as in the options of a webhook.' } },
  NewAcceptance: { password: { minLength: 10, writeOnly: true } },
  NewEvent: {
    event: { enum: ghostEvents },
    payload: {
      description:
        'The payload of deliveries: `{"<resource>": {"current": {…}, "previous": {…}}}`, where the resource is the first part of the event name; `{}` for `site.changed`.',
    },
  },
  KeyReplacement: {
    previous_valid_hours: {
      description: 'For how many hours the old key is still valid: 0, the default, to 168.',
      examples: [24],
    },
  },
  NewReplay: {
    since: { examples: ['2026-11-20T09:00:00Z', '2026-11-20'] },
    until: { examples: ['2026-11-21T09:00:00Z', '2026-11-21'] },
  },
};

/** Returns the name of a schema. @throws for a schema that is not a component */
export const componentName = (schema: v.GenericSchema): string => {
  const found = Object.entries(components).find(([, component]) => component === schema);
  if (found === undefined) throw new Error('A schema of an operation is missing in infra/openapi/components.ts.');
  return found[0];
};
