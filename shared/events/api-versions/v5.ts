/** From v6 to v5: no `event` beside the resource. */
import { type Body, omit } from './body.ts';

/**
 * The event's name came into the payload with Ghost 6.
 * Source: TryGhost/Ghost pull request 24499, "Added event field to webhook payloads"; wire contract, Deliveries.
 */
export function toV5(body: Body): Body {
  return omit(body, ['event']);
}
