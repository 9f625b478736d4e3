/** `POST /admin/events/`: accepts events, and sends them to their first subscribers at once. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { publishEvents } from '../../shared/deliveries/publish/publish.ts';
import * as example from '../../shared/events/example.ts';
import { publisherOf } from '../../shared/events/publisher.ts';
import { countPublication } from '../../shared/events/publisher-limit.ts';
import { eventResource, type NewEvent, newEvent, readPayload } from '../../shared/events/schema.ts';
import type { Caller } from '../../shared/foundation/caller.ts';
import { settings } from '../../shared/foundation/environment.ts';
import { NoPermissionError } from '../../shared/foundation/errors.ts';
import { parseExactly } from '../../shared/foundation/exact-json.ts';
import { type Body, textOf } from '../../shared/http/body.ts';
import { type Documentation, forbidden } from '../../shared/http/documentation.ts';
import type { HttpRequest } from '../../shared/http/request.ts';
import { mayPublish } from '../../shared/integrations/may-publish.ts';

export const handler = endpoint({
  line: 'events/publish',
  forwards: true,
  body: { root: 'events', item: newEvent, max: 10 },
  answer: { status: 202, root: 'events', item: eventResource },
  handle: async ({ request, body, items, caller, now, reply }) => {
    const publisher = publisherOf(caller);
    await countPublication(publisher, now);
    await checkMayPublish(caller);
    const events = asWritten(request, body, items);
    return reply(await publishEvents(publisher, events, settings().deliveries, now, request.headers.traceparent));
  },
});

/** Returns the events with their numbers as they were written; nearly always doubles keep them. */
const asWritten = (request: HttpRequest, body: Body, items: readonly NewEvent[]): readonly NewEvent[] => {
  if (body.kind !== 'json' || body.hasLongNumbers === undefined) return items;
  const { events } = parseExactly(textOf(request)) as { readonly events: readonly Pick<NewEvent, 'payload'>[] };
  return items.map((item, index) => {
    const read = readPayload(item.event, events[index]?.payload ?? {});
    return read.ok ? { ...item, payload: read.payload } : item;
  });
};

/** Allows the Owner, Administrators, and integrations with `can_publish`. @throws NoPermissionError */
const checkMayPublish = async (caller: Caller): Promise<void> => {
  if (caller.kind === 'staff' || (await mayPublish(caller.integrationId))) return;
  throw new NoPermissionError('This integration cannot publish events.', {
    help:
      'An Owner or Administrator can grant the permission: ' +
      'PUT /admin/integrations/{id}/ with `"can_publish": true`.',
  });
};

export const documentation = (): Documentation => ({
  tag: 'Events',
  summary: 'Publish events',
  description:
    'The response is sent once the events are durably queued; deliveries follow. ' +
    'The Owner, Administrators and integrations with `can_publish` can publish. ' +
    'An event with an `id` can be sent again for 30 days without being delivered again. ' +
    'A publisher can send 6,000 requests a minute (a setting of the stage); beyond that, 429 with `Retry-After`.',
  headers: {
    traceparent: 'The trace of the events, by W3C Trace Context. Every attempt forwards it; another value is ignored.',
  },
  errors: [forbidden('the integration cannot publish')],
  examples: {
    publish: {
      summary: 'A published post',
      body: [
        {
          id: example.accepted.id,
          event: example.accepted.event,
          payload: example.payloadOf(String(example.accepted.event)),
        },
      ],
      answer: [example.accepted],
    },
  },
});
