/** The names of publishers. An event is identified by its publisher and its id; limits and turns also count by publisher. */
import type { Caller } from '../foundation/caller.ts';
import type { IntegrationId } from '../foundation/ids.ts';

/** Returns the publisher of an integration's events, whether it publishes itself or its Ghost site does. */
export const integrationPublisher = (id: IntegrationId): string => `integration:${id}`;

/** Returns the publisher of a caller's events. */
export const publisherOf = (caller: Caller): string =>
  caller.kind === 'integration' ? integrationPublisher(caller.integrationId) : `staff:${caller.staffId}`;
