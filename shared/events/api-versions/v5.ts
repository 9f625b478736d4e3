/** Converts v6 to v5: no `event` next to the resource. */
import { type Body, omit } from './body.ts';

/** The payload has the event's name since Ghost 6.50 (TryGhost/Ghost pull request 24499). */
export const toV5 = (body: Body): Body => omit(body, ['event']);
