/** The events of a stage, and the payload key of each (docs/compatibility.md, "Events"). */
import { distance } from 'fastest-levenshtein';
import * as v from 'valibot';
import { commonEvents } from '../foundation/event-names.ts';
import { maxChars, rule, text } from '../foundation/fields.ts';

/** Returns all events that webhooks of this stage can subscribe to. */
export const knownEvents = (ownEvents: readonly string[]): readonly string[] => [...commonEvents, ...ownEvents];

/** Returns the payload key of an event: the first part of its name, such as `post` for `post.tag.attached`; none for `site.changed`. */
export const resourceOf = (event: string): string | undefined =>
  event === 'site.changed' ? undefined : event.split('.', 1)[0];

/**
 * Returns the schema of an event name: one of `known`. The error completes "The event … `refusal`" and suggests near matches, except for a name
 * that Masthead reserves: its client has made no typing error.
 */
export const eventName = (known: readonly string[], refusal: string, reserved: readonly string[] = []) =>
  v.pipe(
    text,
    maxChars(50),
    rule((name) => {
      if (known.includes(name)) return undefined;
      const near = nearMatches(name, known);
      const named = `\`event\` ${JSON.stringify(name)} ${refusal}`;
      if (reserved.includes(name))
        return { rule: 'known_event', message: `${named}, because Masthead publishes it itself.` };
      const wayOut = near.length > 0 ? `did you mean ${near.join(', ')}?` : `must be one of: ${known.join(', ')}.`;
      return { rule: 'known_event', message: `${named}; ${wayOut}` };
    }),
  );

/** Returns up to three names that the client may have meant, nearest first. */
export const nearMatches = (name: string, known: readonly string[]): string[] =>
  known
    .map((event) => ({ event, edits: distance(name.toLowerCase(), event) }))
    .filter(({ event, edits }) => edits <= Math.max(3, Math.ceil(event.length / 3)))
    .sort((a, b) => a.edits - b.edits)
    .slice(0, 3)
    .map(({ event }) => event);
