/** Converts v6 to v5: no `event` next to the resource. */
import { type Body, omit } from './body.ts';

/**
 * The payload has the event's name since Ghost 6.50.
 * Source: TryGhost/Ghost pull request 24499, "Added event field to webhook payloads".
 */
export const toV5 = (body: Body): Body => omit(body, ['event']);
