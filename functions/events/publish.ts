/** `POST /admin/events/`: accepts events and stores them durably in the events queue. */

import { endpoint } from '../../shared/accounts/endpoint.ts';
import { log } from '../../shared/aws/log.ts';
import { count } from '../../shared/aws/metrics.ts';
import { send } from '../../shared/aws/queues.ts';
import { type AcceptedEvent, type EventBody, isSameEvent } from '../../shared/events/event.ts';
import { type NewEvent, newEvent } from '../../shared/events/schema.ts';
import { readEventBodies } from '../../shared/events/store.ts';
import type { Caller } from '../../shared/foundation/caller.ts';
import { timestamp } from '../../shared/foundation/clock.ts';
import { settings } from '../../shared/foundation/environment.ts';
import { NoPermissionError, RequestEntityTooLargeError } from '../../shared/foundation/errors.ts';
import { type EventId, newId } from '../../shared/foundation/ids.ts';
import { accepted } from '../../shared/http/response.ts';
import { readIntegration } from '../../shared/integrations/store.ts';

const item = newEvent(settings());

export const handler = endpoint({
  line: 'events/publish',
  body: () => ({ root: 'events', item, max: 10 }),
  handle: async ({ request, items, caller, now }) => {
    await checkMayPublish(caller);
    checkSize(request.body.length, items);
    const publisher = caller.kind === 'integration' ? `integration:${caller.integrationId}` : `staff:${caller.staffId}`;
    const events = items.map(
      ({ id, event, payload }): AcceptedEvent => ({
        kind: 'event',
        id: id ?? newId<EventId>(),
        publisher,
        event,
        accepted_at: timestamp(now),
        payload,
        owner: newId<EventId>(),
      }),
    );
    const known = await findKnown(events.filter((_, position) => items[position]?.id !== undefined));
    const fresh = events.filter(({ id }) => !known.has(id));
    await send(
      'events',
      fresh.map((body) => ({ body, group: publisher })),
    );
    count('EventsAccepted', fresh.length);
    // Part of the log line of the request, so that the logs can be searched by event id, from here to the attempts.
    log.add({ event_ids: events.map(({ id }) => id) });
    return accepted({
      events: events.map((event) => {
        const { id, event: name, created_at } = known.get(event.id) ?? { ...event, created_at: event.accepted_at };
        return { id, event: name, created_at };
      }),
    });
  },
});

/**
 * Returns the events that are stored under the publisher's ids: a repetition is answered with the first one. An id that is reused
 * for another event or payload is logged and counted, because the second event is not delivered.
 */
const findKnown = async (events: readonly AcceptedEvent[]): Promise<ReadonlyMap<string, EventBody>> => {
  const known = new Map((await readEventBodies(events)).map((body) => [body.id, body]));
  for (const event of events) {
    const body = known.get(event.id);
    if (body === undefined || isSameEvent(body, event)) continue;
    log.warn('An event id was used again for another event, which is not delivered', { event_id: event.id });
    count('EventIdsReused');
  }
  return known;
};

/** Maximum bytes of an event as JSON: it becomes an item of the table, which DynamoDB limits to 400 KB. */
const largestEvent = 380 * 1024;

/** JSON can grow when it is serialized again (`1e20` becomes 21 digits); a body below this size cannot exceed the limit. */
const checkSize = (receivedBytes: number, items: readonly NewEvent[]): void => {
  if (receivedBytes < largestEvent / 8) return;
  for (const { event, payload } of items) {
    const bytes = Buffer.byteLength(JSON.stringify(payload));
    if (bytes > largestEvent)
      throw new RequestEntityTooLargeError(`The payload of ${event} has ${bytes} bytes as plain JSON.`, {
        help: `Send at most ${largestEvent}: numbers such as 1e20 are written out.`,
      });
  }
};

/** Allows the Owner, Administrators, and integrations with `can_publish`. @throws NoPermissionError */
const checkMayPublish = async (caller: Caller): Promise<void> => {
  if (caller.kind === 'staff') return;
  const integration = await readIntegration(caller.integrationId);
  if (integration?.can_publish !== true)
    throw new NoPermissionError('This integration cannot publish events.', {
      help: 'An Owner or Administrator can grant the permission: PUT /admin/integrations/{id}/ with `"can_publish": true`.',
    });
};
