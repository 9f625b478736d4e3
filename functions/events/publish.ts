/** `POST /admin/events/`: accepts events, and sends them to their first subscribers at once. */

import { endpoint } from '../../shared/accounts/endpoint.ts';
import { type PublishedEvent, publishEvents } from '../../shared/deliveries/publish/publish.ts';
import { exactPayloads } from '../../shared/events/exact-payloads.ts';
import { publisherOf } from '../../shared/events/publisher.ts';
import { countPublication } from '../../shared/events/publisher-limit.ts';
import { type NewEvent, newEvent } from '../../shared/events/schema.ts';
import type { Caller } from '../../shared/foundation/caller.ts';
import { settings } from '../../shared/foundation/environment.ts';
import { NoPermissionError } from '../../shared/foundation/errors.ts';
import { type Body, textOf } from '../../shared/http/body.ts';
import type { HttpRequest } from '../../shared/http/request.ts';
import { accepted } from '../../shared/http/response.ts';
import { mayPublish } from '../../shared/integrations/may-publish.ts';

const item = newEvent(settings());
const rules = settings().deliveries;

export const handler = endpoint({
  line: 'events/publish',
  forwards: true,
  body: () => ({ root: 'events', item, max: 10 }),
  handle: async ({ request, body, items, caller, now }) => {
    const publisher = publisherOf(caller);
    await countPublication(publisher, now);
    await checkMayPublish(caller);
    return accepted({ events: await publishEvents(publisher, asWritten(request, body, items), rules, now) });
  },
});

/** Returns the events with their numbers as they were written; nearly always doubles keep them. */
const asWritten = (request: HttpRequest, body: Body, items: readonly NewEvent[]): readonly PublishedEvent[] => {
  if (body.kind !== 'json' || body.hasLongNumbers === undefined) return items;
  const payloads = exactPayloads(textOf(request), items);
  return items.map((item, index) => ({ ...item, payload: payloads[index] ?? item.payload }));
};

/** Allows the Owner, Administrators, and integrations with `can_publish`. @throws NoPermissionError */
const checkMayPublish = async (caller: Caller): Promise<void> => {
  if (caller.kind === 'staff' || (await mayPublish(caller.integrationId))) return;
  throw new NoPermissionError('This integration cannot publish events.', {
    help: 'An Owner or Administrator can grant the permission: PUT /admin/integrations/{id}/ with `"can_publish": true`.',
  });
};
