/** The OpenAPI texts of publishing events. */
import * as v from 'valibot';
import { eventExamples } from '../../../shared/events/examples.ts';
import { eventResource } from '../../../shared/events/schema.ts';
import { UnauthorizedError } from '../../../shared/foundation/errors.ts';
import { inboundSecretResource } from '../../../shared/integrations/integration.ts';
import { comparison } from '../../../shared/integrations/relay/comparison.ts';
import { relayResource } from '../../../shared/integrations/relay/resource.ts';
import { eventToPublish } from '../components.ts';
import { failure, forbidden, invalid } from '../errors.ts';
import { exampleOf } from '../example-of.ts';
import type { OperationTexts } from '../operation.ts';

const accepted = exampleOf(eventResource, { created_at: '2026-11-21T09:30:00.000Z' });

const ghostPath = { integration_id: '019acb4c2d10a1b2c3d4e5f6', event: 'page.published' };
const payloadOf = (event: string): object => eventExamples[event]?.payload ?? {};

export const events = {
  'events/publish': {
    summary: 'Publish events',
    description:
      'The response is sent once the events are durably queued; deliveries follow. The Owner, Administrators and integrations with `can_publish` can publish. An event with an `id` can be sent again for 30 days without being delivered again. A publisher can send 6,000 requests a minute (a setting of the stage); beyond that, 429 with `Retry-After`.',
    body: { root: 'events', item: eventToPublish, max: 10 },
    answer: { status: 202, root: 'events', item: eventResource },
    errors: [forbidden('the integration cannot publish')],
    examples: {
      publish: {
        summary: 'A published post',
        body: [
          {
            id: accepted.id,
            event: accepted.event,
            payload: payloadOf(String(accepted.event)),
          },
        ],
        answer: [accepted],
      },
    },
  },
  'inbound/ghost': {
    summary: 'Publish an event that a Ghost site delivers',
    description:
      'The target URL of a webhook at Ghost. `X-Ghost-Signature` authenticates the request: Ghost makes it with the secret of its webhook, which must be the inbound secret of the integration. The same request again is answered alike and publishes no second event. It counts for the limit of the integration, 6,000 requests a minute. The body is the payload, as Ghost sends it.',
    headers: { 'X-Ghost-Signature': '`sha256=<hex>, t=<epoch ms>`, as Ghost makes it with the inbound secret.' },
    body: { json: v.looseObject({}) },
    answer: { status: 202, root: 'events', item: eventResource },
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
        path: ghostPath,
        ghostSecret: exampleOf(inboundSecretResource, {}).secret as string,
        body: payloadOf(ghostPath.event),
        answer: [{ ...accepted, id: '5c'.repeat(32), event: ghostPath.event }],
      },
      unsigned: {
        summary: 'A request without a signature',
        path: ghostPath,
        body: payloadOf(ghostPath.event),
        error: new UnauthorizedError(
          'The header X-Ghost-Signature is missing, or does not have the form `sha256=<hex>, t=<epoch ms>`.',
          {
            help: 'Set the secret of the webhook at Ghost to the one that POST /admin/integrations/{id}/inbound_secret/ returns (docs/ghost.md).',
          },
        ),
      },
    },
  },
  'relays/list': {
    summary: 'List the connected Ghost sites',
    description:
      'The integrations that have an inbound secret, with what has arrived through their relays. Ghost tries once, so an event that does not arrive is lost: look here first.',
    answer: { status: 200, root: 'relays', item: relayResource },
    examples: {
      list: {
        summary: 'A site whose events arrive, and a request without a signature',
        answer: [
          {
            integration_id: ghostPath.integration_id,
            site: 'Bookshop & Café',
            last_event_at: '2026-11-21T09:30:00.000Z',
            events_per_day: 0.1,
            refused: [{ reason: 'signature_missing', count: 1, last_at: '2026-11-21T09:20:00.000Z' }],
            silent_since: null,
            compared_at: null,
            unmoved: [],
          },
        ],
      },
    },
  },
  'relays/update': {
    summary: 'Record what a site has',
    description:
      '`npm run ops -- import-ghost` calls this with the webhooks that it has found at Ghost and that could move. Only a person has the key of the site.',
    body: { root: 'relays', item: comparison, max: 1 },
    answer: { status: 200, root: 'relays', item: relayResource },
    examples: {
      'added-since': {
        summary: 'Two webhooks were added at Ghost',
        path: { id: ghostPath.integration_id },
        body: [{ unmoved: [{ event: 'post.published', count: 2 }] }],
        answer: [
          {
            integration_id: ghostPath.integration_id,
            site: 'Bookshop & Café',
            last_event_at: '2026-11-21T09:30:00.000Z',
            events_per_day: 0.1,
            refused: [{ reason: 'signature_missing', count: 1, last_at: '2026-11-21T09:20:00.000Z' }],
            silent_since: null,
            compared_at: '2026-11-21T09:40:00.000Z',
            unmoved: [{ event: 'post.published', count: 2 }],
          },
        ],
      },
    },
  },
} satisfies Record<string, OperationTexts>;
