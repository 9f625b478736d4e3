/** Masthead's own events, as messages that are stored with the change that they report (`due/outbox.ts`). */
import type { OutboxMessage } from '../due/outbox.ts';
import type { AcceptedEvent } from './event.ts';
import { mastheadPublisher } from './publisher.ts';

/** Returns the message that publishes an event. The same id again creates the same deliveries. `at` in ISO. */
export const ownEvent = (event: string, id: string, at: string, payload: object): OutboxMessage => {
  const body: AcceptedEvent = {
    kind: 'event',
    id,
    publisher: mastheadPublisher,
    event,
    accepted_at: at,
    payload: { ...payload },
  };
  return { queue: 'events', id, body, group: 'masthead' };
};
