/** `POST /inbound/ghost/{integration_id}/{event}/`: publishes an event that a Ghost site delivers. */
import * as v from 'valibot';
import { log } from '../../shared/aws/log.ts';
import { publishEvents } from '../../shared/deliveries/publish/publish.ts';
import * as example from '../../shared/events/example.ts';
import { relayed } from '../../shared/events/payload.ts';
import { integrationPublisher } from '../../shared/events/publisher.ts';
import { countPublication } from '../../shared/events/publisher-limit.ts';
import { eventResource, newEvent } from '../../shared/events/schema.ts';
import { settings } from '../../shared/foundation/environment.ts';
import {
  NoPermissionError,
  RequestEntityTooLargeError,
  UnauthorizedError,
  UnsupportedMediaTypeError,
  ValidationError,
} from '../../shared/foundation/errors.ts';
import { exampleOf } from '../../shared/foundation/example-of.ts';
import type { IntegrationId } from '../../shared/foundation/ids.ts';
import { type Body, textOf } from '../../shared/http/body.ts';
import { type Documentation, failure, forbidden, invalid } from '../../shared/http/documentation.ts';
import { openEndpoint } from '../../shared/http/endpoint.ts';
import { describe, readItems } from '../../shared/http/items.ts';
import type { HttpRequest } from '../../shared/http/request.ts';
import {
  authenticateSite,
  eventIdOf,
  type GhostSite,
  pinSignature,
  type SignedRequest,
} from '../../shared/integrations/ghost-signature.ts';
import { canBe, namedEvent } from '../../shared/integrations/inbound-event.ts';
import { inboundSecretResource } from '../../shared/integrations/integration.ts';
import { countArrival, refusalCounter } from '../../shared/integrations/relay/count.ts';

const countRefusal = refusalCounter();

export const handler = openEndpoint({
  line: 'inbound/ghost',
  forwards: true,
  authenticate: (request: HttpRequest, now: number) => authenticateSite(integrationOf(request), signedBy(request), now),
  onRefused: async (request, error, now) => {
    const integration = integrationOf(request);
    // The only checks before the signature: strangers must not cause these counts.
    const wasUnread = error instanceof RequestEntityTooLargeError || error instanceof UnsupportedMediaTypeError;
    if (wasUnread && !(await isSigned(integration, request, now))) return;
    await countRefusal(integration, error, now);
  },
  answer: { status: 202, root: 'events', item: eventResource },
  handle: async ({ request, body, caller: site, now, reply }) => reply(await publish(request, body, site, now)),
});

const integrationOf = ({ params }: HttpRequest): IntegrationId => (params.integration_id ?? '') as IntegrationId;

const isSigned = (integration: IntegrationId, request: HttpRequest, now: number): Promise<boolean> =>
  authenticateSite(integration, signedBy(request), now).then(
    () => true,
    () => false,
  );

const publish = async (request: HttpRequest, body: Body, site: GhostSite, now: number) => {
  const { integration } = site;
  const publisher = integrationPublisher(integration);
  await countPublication(publisher, now);
  checkOrigin(request);
  log.add({ integration_id: integration });
  const event = request.params.event ?? '';
  const id = eventIdOf(signedBy(request), site, event);
  const payload = payloadOf(body, event);
  const json = { events: [{ id, event, payload }] };
  const items = readItems({ kind: 'json', json }, { root: 'events', item: newEvent(settings()), max: 1 });
  // The signature does not cover the path.
  if (namedEvent(payload) === undefined && !canBe(event, payload)) throw otherEvent(event, 'a body of another event');
  await pinSignature(site);
  const asSent = items.map((one) => ({ ...one, payload: relayed(textOf(request)) }));
  const [events] = await Promise.all([
    publishEvents(publisher, asSent, settings().deliveries, now, request.headers.traceparent),
    countArrival(integration, now),
  ]);
  return events;
};

const signedBy = ({ body, headers }: HttpRequest): SignedRequest => ({ body, signature: headers['x-ghost-signature'] });

/** Refuses a stage's own deliveries: such a webhook would publish its event without end. @throws NoPermissionError */
const checkOrigin = ({ headers }: HttpRequest): void => {
  if (headers['masthead-event-id'] === undefined) return;
  throw new NoPermissionError('A delivery of Masthead cannot be published as an event.', {
    help: 'This endpoint is for the webhooks of a Ghost site. Use another `target_url`.',
  });
};

/** Returns the body, forwarded unchanged. @throws ValidationError if it is of another event than the path */
const payloadOf = (body: Body, event: string): unknown => {
  const json = body.kind === 'json' ? body.json : undefined;
  const named = namedEvent(json);
  if (named !== undefined && named !== event) throw otherEvent(event, describe(named));
  return json;
};

const otherEvent = (event: string, received: string): ValidationError =>
  new ValidationError(`The event in the body is not the one in the path, ${event}.`, {
    property: 'event',
    help: 'The last part of the target URL must be the event that the webhook at Ghost subscribes to.',
    details: [
      {
        index: null,
        field: 'event',
        rule: 'same_as_path',
        limit: event,
        received,
      },
    ],
  });

export const documentation = (): Documentation => ({
  tag: 'Events',
  summary: 'Publish an event that a Ghost site delivers',
  description:
    'The target URL of a webhook at Ghost. `X-Ghost-Signature` authenticates the request: Ghost makes it with the ' +
    'secret of its webhook, which must be the inbound secret of the integration. ' +
    'The same request again is answered alike and publishes no second event. ' +
    'It counts for the limit of the integration, 6,000 requests a minute. ' +
    'The body is the payload, as Ghost sends it.',
  headers: {
    'X-Ghost-Signature': '`sha256=<hex>, t=<epoch ms>`, as Ghost makes it with the inbound secret.',
    traceparent: 'As for `POST /admin/events/`.',
  },
  body: { json: v.looseObject({}) },
  errors: [
    failure(
      'UnauthorizedError',
      '`X-Ghost-Signature` is missing, does not match the inbound secret, or its time is more than five minutes off',
    ),
    forbidden('the request is a delivery of Masthead itself'),
    invalid('event', 'the event is unknown, or the body is of another event'),
    invalid('payload', 'the body is not a payload of the event'),
  ],
  examples: {
    relay: {
      summary: 'Ghost delivers a published page',
      path: example.ghostPath,
      ghostSecret: exampleOf(inboundSecretResource, {}).secret as string,
      body: example.payloadOf(example.ghostPath.event),
      answer: [{ ...example.accepted, id: '5c'.repeat(32), event: example.ghostPath.event }],
    },
    unsigned: {
      summary: 'A request without a signature',
      path: example.ghostPath,
      body: example.payloadOf(example.ghostPath.event),
      error: new UnauthorizedError(
        'The header X-Ghost-Signature is missing, or does not have the form `sha256=<hex>, t=<epoch ms>`.',
        {
          help:
            'Set the secret of the webhook at Ghost to the one that POST /admin/integrations/{id}/inbound_secret/ ' +
            'returns (docs/ghost.md).',
        },
      ),
    },
  },
});
