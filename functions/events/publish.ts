/** `POST /admin/events/`: accepts events, and sends them to their first subscribers at once. */

import { endpoint } from '../../shared/accounts/endpoint.ts';
import { publishEvents } from '../../shared/deliveries/publish/publish.ts';
import { countPublication } from '../../shared/events/publisher-limit.ts';
import { newEvent } from '../../shared/events/schema.ts';
import type { Caller } from '../../shared/foundation/caller.ts';
import { settings } from '../../shared/foundation/environment.ts';
import { NoPermissionError } from '../../shared/foundation/errors.ts';
import { accepted } from '../../shared/http/response.ts';
import { mayPublish } from '../../shared/integrations/may-publish.ts';

const item = newEvent(settings());
const rules = settings().deliveries;

export const handler = endpoint({
  line: 'events/publish',
  keepsNumbers: true,
  body: () => ({ root: 'events', item, max: 10 }),
  handle: async ({ items, caller, now }) => {
    const publisher = caller.kind === 'integration' ? `integration:${caller.integrationId}` : `staff:${caller.staffId}`;
    await countPublication(publisher, now);
    await checkMayPublish(caller);
    return accepted({ events: await publishEvents(publisher, items, rules, now) });
  },
});

/** Allows the Owner, Administrators, and integrations with `can_publish`. @throws NoPermissionError */
const checkMayPublish = async (caller: Caller): Promise<void> => {
  if (caller.kind === 'staff' || (await mayPublish(caller.integrationId))) return;
  throw new NoPermissionError('This integration cannot publish events.', {
    help: 'An Owner or Administrator can grant the permission: PUT /admin/integrations/{id}/ with `"can_publish": true`.',
  });
};
