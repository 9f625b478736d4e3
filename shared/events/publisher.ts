/** The names of publishers: an event is known by its publisher and its id, and limits and turns count by publisher. */
import type { Caller } from '../foundation/caller.ts';
import type { IntegrationId } from '../foundation/ids.ts';

/** Returns the publisher of what an integration publishes, itself or by the Ghost site that is connected to it. */
export const integrationPublisher = (id: IntegrationId): string => `integration:${id}`;

/** Returns the publisher of what a caller publishes. */
export const publisherOf = (caller: Caller): string =>
  caller.kind === 'integration' ? integrationPublisher(caller.integrationId) : `staff:${caller.staffId}`;
