/** `POST /admin/events/`: accepts events and stores them durably in the events queue. */

import { endpoint } from '../../shared/accounts/endpoint.ts';
import { keptDays } from '../../shared/deliveries/schedule.ts';
import { acceptEvents } from '../../shared/events/accept.ts';
import { countPublication } from '../../shared/events/publisher-limit.ts';
import { newEvent } from '../../shared/events/schema.ts';
import type { Caller } from '../../shared/foundation/caller.ts';
import { settings } from '../../shared/foundation/environment.ts';
import { NoPermissionError } from '../../shared/foundation/errors.ts';
import { parseExactly } from '../../shared/foundation/exact-json.ts';
import { accepted } from '../../shared/http/response.ts';
import { readIntegration } from '../../shared/integrations/store.ts';

const item = newEvent(settings());
const keepDays = keptDays(settings().deliveries);

export const handler = endpoint({
  line: 'events/publish',
  parse: parseExactly,
  body: () => ({ root: 'events', item, max: 10 }),
  handle: async ({ items, caller, now }) => {
    const publisher = caller.kind === 'integration' ? `integration:${caller.integrationId}` : `staff:${caller.staffId}`;
    await countPublication(publisher, now);
    await checkMayPublish(caller);
    return accepted({ events: await acceptEvents(publisher, items, keepDays, now) });
  },
});

/** Allows the Owner, Administrators, and integrations with `can_publish`. @throws NoPermissionError */
const checkMayPublish = async (caller: Caller): Promise<void> => {
  if (caller.kind === 'staff') return;
  const integration = await readIntegration(caller.integrationId);
  if (integration?.can_publish !== true)
    throw new NoPermissionError('This integration cannot publish events.', {
      help: 'An Owner or Administrator can grant the permission: PUT /admin/integrations/{id}/ with `"can_publish": true`.',
    });
};
