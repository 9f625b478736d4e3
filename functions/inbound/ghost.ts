/** `POST /inbound/ghost/{integration_id}/{event}/`: publishes an event that a Ghost site delivers. */
import { log } from '../../shared/aws/log.ts';
import { eventAcceptor } from '../../shared/deliveries/publish/direct.ts';
import { relayed } from '../../shared/events/payload.ts';
import { countPublication } from '../../shared/events/publisher-limit.ts';
import { newEvent } from '../../shared/events/schema.ts';
import { settings } from '../../shared/foundation/environment.ts';
import { NoPermissionError, ValidationError } from '../../shared/foundation/errors.ts';
import { parseExactly } from '../../shared/foundation/exact-json.ts';
import type { IntegrationId } from '../../shared/foundation/ids.ts';
import { readBody } from '../../shared/http/body.ts';
import { openEndpoint } from '../../shared/http/endpoint.ts';
import { failedKeys } from '../../shared/http/failed-keys.ts';
import { describe, readItems } from '../../shared/http/items.ts';
import type { HttpRequest } from '../../shared/http/request.ts';
import { accepted } from '../../shared/http/response.ts';
import { checkSignature, eventIdOf } from '../../shared/integrations/inbound.ts';

const item = newEvent(settings());
const acceptEvents = eventAcceptor(settings().deliveries);
const failed = failedKeys();

export const handler = openEndpoint({
  line: 'inbound/ghost',
  handle: async ({ request, id, now }) => {
    const integration = id<IntegrationId>('integration_id');
    const signed = { body: request.body, signature: request.headers['x-ghost-signature'] };
    await failed.limit(request.sourceIp, now, () => checkSignature(integration, signed, now));
    const publisher = `integration:${integration}`;
    await countPublication(publisher, now);
    checkOrigin(request);
    log.add({ integration_id: integration });
    const event = request.params.event ?? '';
    const json = { events: [{ id: eventIdOf(signed, event), event, payload: payloadOf(request, event) }] };
    const items = readItems({ kind: 'json', json }, { root: 'events', item, max: 1 });
    const asSent = items.map((event) => ({ ...event, payload: relayed(request.body.toString()) }));
    return accepted({ events: await acceptEvents(publisher, asSent, now) });
  },
});

/** Refuses deliveries of a stage: a webhook whose target is this endpoint would publish its own event without end. @throws NoPermissionError */
const checkOrigin = ({ headers }: HttpRequest): void => {
  if (headers['masthead-event-id'] === undefined) return;
  throw new NoPermissionError('A delivery of Masthead cannot be published again.', {
    help: 'This endpoint is for the webhooks of a Ghost site. Use another `target_url`.',
  });
};

/** Returns the body, which is checked as a payload and sent as it is; Ghost names the event in it since 6.50. @throws ValidationError where that is another one */
const payloadOf = (request: HttpRequest, event: string): unknown => {
  const body = readBody(request, Number.POSITIVE_INFINITY, parseExactly);
  const json = body.kind === 'json' ? body.json : undefined;
  const named = typeof json === 'object' && json !== null && 'event' in json ? json.event : event;
  if (named === event) return json;
  throw new ValidationError(`The body is of another event than the path, ${event}.`, {
    property: 'event',
    help: 'The last part of the target URL must be the event that the webhook at Ghost subscribes to.',
    details: [{ index: null, field: 'event', rule: 'same_as_path', limit: event, received: describe(named) }],
  });
};
