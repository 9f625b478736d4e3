/** `POST /admin/events/`: accepts events, which are then durably in the events queue. */

import { findKey } from '../../shared/accounts/find-api-key.ts';
import { log } from '../../shared/aws/log.ts';
import { count } from '../../shared/aws/metrics.ts';
import { send } from '../../shared/aws/queues.ts';
import type { AcceptedEvent } from '../../shared/events/event.ts';
import { type NewEvent, newEvent } from '../../shared/events/schema.ts';
import type { Caller } from '../../shared/foundation/caller.ts';
import { timestamp } from '../../shared/foundation/clock.ts';
import { settings } from '../../shared/foundation/environment.ts';
import { NoPermissionError, RequestEntityTooLargeError } from '../../shared/foundation/errors.ts';
import { type EventId, newId } from '../../shared/foundation/ids.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { accepted } from '../../shared/http/response.ts';
import { readIntegration } from '../../shared/integrations/store.ts';

const item = newEvent(settings());

export const handler = endpoint({
  line: 'events/publish',
  keys: findKey,
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
    await send(
      'events',
      events.map((body) => ({ body, group: publisher })),
    );
    count('EventsAccepted', events.length);
    // With the request's line: an event's id leads through the logs from here to its attempts.
    log.add({ event_ids: events.map(({ id }) => id) });
    return accepted({
      events: events.map(({ id, event, accepted_at }) => ({ id, event, created_at: accepted_at })),
    });
  },
});

/** Bytes of an event as JSON: it becomes an item of the table, which has 400 KB at most (AWS limit). */
const largestEvent = 380 * 1024;

/** JSON can be longer when it is written again (`1e20` becomes 21 digits); what is small cannot become so large. */
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

/** Owners and Administrators may; of integrations those that were allowed to. */
const checkMayPublish = async (caller: Caller): Promise<void> => {
  if (caller.kind === 'staff') return;
  const integration = await readIntegration(caller.integrationId);
  if (integration?.can_publish !== true)
    throw new NoPermissionError('This integration may not publish events.', {
      help: 'An Owner or Administrator can allow it: PUT /admin/integrations/{id}/ with `"can_publish": true`.',
    });
};
