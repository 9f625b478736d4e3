/** The effect of `debounce` on a delivery: it waits for the end of its window, or it is superseded. */
import { type Fields, resourceOf, subjectOf, textOf } from '../../formats/rendering.ts';
import { timestamp } from '../../foundation/clock.ts';
import { sha256 } from '../../foundation/hash.ts';
import type { Debounce } from '../../webhooks/options-resource.ts';
import type { Delivery } from '../delivery.ts';
import type { Window } from '../records/windows.ts';
import { ended } from './wait.ts';

/** Returns the name of the windows that an event belongs to. With `per: resource`, events without one share theirs. */
export const windowNameOf = ({ per }: Debounce, event: string, body: Fields): string => {
  const id = per === 'resource' ? textOf(subjectOf({ event, body }), 'id') : undefined;
  // Publishers choose ids, so that one could be longer than a key may be.
  return id === undefined ? 'all' : sha256(`${resourceOf(event)} ${id}`).slice(0, 24);
};

/** Returns the delivery that a window holds: no jitter, as `max_seconds` is a promise. Its schedule begins later. */
export const waitingIn = ({ ends }: Window, delivery: Delivery): Delivery => ({
  ...delivery,
  waits: 1,
  next_attempt_at: timestamp(ends),
  waiting_for: { reason: 'debounce', until: timestamp(ends) },
});

/** Returns a delivery that a later one has superseded; it may have been waiting, or not. */
export const supersededIn = ({ holder, sk }: Window, delivery: Delivery): Delivery => ({
  ...ended(delivery, 'superseded', null),
  waits: 2,
  superseded_by: holder,
  window: sk,
});
