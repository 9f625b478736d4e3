/** The names of publishers. Publisher and id identify an event; limits and turns also count by publisher. */
import type { Caller } from '../foundation/caller.ts';
import type { IntegrationId, StaffId, WebhookId } from '../foundation/ids.ts';

/** Returns the publisher of an integration's events, whether it publishes itself or its Ghost site does. */
export const integrationPublisher = (id: IntegrationId): string => `integration:${id}`;

export const staffPublisher = (id: StaffId): string => `staff:${id}`;

/** Returns the publisher of the examples that pings of a webhook send. */
export const pingPublisher = (id: WebhookId): string => `webhook:${id}`;

/** Returns whether an event was made for a ping, so that it has no subscribers. */
export const isOfPing = ({ publisher }: { readonly publisher: string }): boolean => publisher.startsWith('webhook:');

export const mastheadPublisher = 'masthead';

/** Returns the publisher of a caller's events. */
export const publisherOf = (caller: Caller): string =>
  caller.kind === 'integration' ? integrationPublisher(caller.integrationId) : staffPublisher(caller.staffId);
