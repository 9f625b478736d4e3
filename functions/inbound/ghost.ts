/** `POST /inbound/ghost/{integration_id}/{event}/`: publishes an event that a Ghost site delivers. */
import { log } from '../../shared/aws/log.ts';
import { publishEvents } from '../../shared/deliveries/publish/publish.ts';
import { relayed } from '../../shared/events/payload.ts';
import { countPublication } from '../../shared/events/publisher-limit.ts';
import { newEvent } from '../../shared/events/schema.ts';
import { settings } from '../../shared/foundation/environment.ts';
import { NoPermissionError, ValidationError } from '../../shared/foundation/errors.ts';
import type { IntegrationId } from '../../shared/foundation/ids.ts';
import type { Body } from '../../shared/http/body.ts';
import { openEndpoint } from '../../shared/http/endpoint.ts';
import { describe, readItems } from '../../shared/http/items.ts';
import type { HttpRequest } from '../../shared/http/request.ts';
import { accepted, type HttpResponse } from '../../shared/http/response.ts';
import { checkSignature, eventIdOf, type SignedRequest } from '../../shared/integrations/inbound.ts';
import { countArrival, refusalCounter } from '../../shared/integrations/relay/count.ts';

const item = newEvent(settings());
const rules = settings().deliveries;
const counted = refusalCounter();

export const handler = openEndpoint({
  line: 'inbound/ghost',
  authenticate: (request, now) => {
    const integration = (request.params.integration_id ?? '') as IntegrationId;
    return counted(integration, now, () => checkSignature(integration, signedBy(request), now));
  },
  handle: async ({ request, body, id, now }) => {
    const integration = id<IntegrationId>('integration_id');
    return counted(integration, now, () => publish(request, body, integration, now));
  },
});

const publish = async (
  request: HttpRequest,
  body: Body,
  integration: IntegrationId,
  now: number,
): Promise<HttpResponse> => {
  const publisher = `integration:${integration}`;
  await countPublication(publisher, now);
  checkOrigin(request);
  log.add({ integration_id: integration });
  const event = request.params.event ?? '';
  const json = { events: [{ id: eventIdOf(signedBy(request), event), event, payload: payloadOf(body, event) }] };
  const items = readItems({ kind: 'json', json }, { root: 'events', item, max: 1 });
  const asSent = items.map((one) => ({ ...one, payload: relayed(request.body.toString()) }));
  const [events] = await Promise.all([publishEvents(publisher, asSent, rules, now), countArrival(integration, now)]);
  return accepted({ events });
};

const signedBy = ({ body, headers }: HttpRequest): SignedRequest => ({ body, signature: headers['x-ghost-signature'] });

/** Refuses deliveries of a stage: a webhook whose target is this endpoint would publish its own event without end. @throws NoPermissionError */
const checkOrigin = ({ headers }: HttpRequest): void => {
  if (headers['masthead-event-id'] === undefined) return;
  throw new NoPermissionError('A delivery of Masthead cannot be published again.', {
    help: 'This endpoint is for the webhooks of a Ghost site. Use another `target_url`.',
  });
};

/** Returns the body, which is checked as a payload and sent as it is; Ghost names the event in it since 6.50. @throws ValidationError where that is another one */
const payloadOf = (body: Body, event: string): unknown => {
  const json = body.kind === 'json' ? body.json : undefined;
  const named = typeof json === 'object' && json !== null && 'event' in json ? json.event : event;
  if (named === event) return json;
  throw new ValidationError(`The body is of another event than the path, ${event}.`, {
    property: 'event',
    help: 'The last part of the target URL must be the event that the webhook at Ghost subscribes to.',
    details: [{ index: null, field: 'event', rule: 'same_as_path', limit: event, received: describe(named) }],
  });
};
