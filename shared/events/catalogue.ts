/** The events of a stage, and the payload key of each (docs/compatibility.md, "Events"). */
import { distance } from 'fastest-levenshtein';
import * as v from 'valibot';
import { commonEvents } from '../foundation/event-names.ts';
import { namesIn, patternsOf } from '../foundation/event-selection.ts';
import { maxChars, rule, text } from '../foundation/fields.ts';

/** Returns all events that webhooks of this stage can subscribe to. */
export const knownEvents = (ownEvents: readonly string[]): readonly string[] => [...commonEvents, ...ownEvents];

/** Returns an event's payload key, the first part of its name, such as `post`; undefined for `site.changed`. */
export const resourceOf = (event: string): string | undefined =>
  event === 'site.changed' ? undefined : event.split('.', 1)[0];

/** Returns the schema of a `known` name. The error completes "The event … `refusal`", and suggests near matches. */
export const eventName = (known: readonly string[], refusal: string, reserved: readonly string[] = []) =>
  v.pipe(
    text,
    maxChars(50),
    rule((name) => {
      if (known.includes(name)) return undefined;
      if (reserved.includes(name))
        return {
          rule: 'known_event',
          message: `\`event\` ${JSON.stringify(name)} ${refusal}, because Masthead publishes it itself.`,
        };
      return unknownEvent(name, known, refusal);
    }),
  );

/** How many names a webhook can have: its creation must fit in a transaction (docs/compatibility.md, "Webhooks"). */
const maxNames = 40;

/** Returns the schema of a webhook's `event`: names and patterns, with commas (`foundation/event-selection.ts`). */
export const eventSelection = (ownEvents: readonly string[]) => {
  const known = [...knownEvents(ownEvents), ...patternsOf(ownEvents)];
  return v.pipe(
    text,
    maxChars(1000),
    rule((selection) => {
      const names = namesIn(selection);
      if (names.length > maxNames)
        return {
          rule: 'max_names',
          limit: maxNames,
          message:
            `\`event\` has ${names.length} names; the maximum is ${maxNames}. ` +
            'Use patterns such as post.*, or several webhooks.',
        };
      const wrong = names.find((name) => !known.includes(name));
      return wrong === undefined ? undefined : unknownEvent(wrong, known, 'does not exist');
    }),
  );
};

const unknownEvent = (name: string, known: readonly string[], refusal: string) => {
  const matched = name.endsWith('*') ? known.filter((event) => event.startsWith(name.slice(0, -1))) : [];
  const near = [...new Set([...matched, ...nearMatches(name, known)])].slice(0, 3);
  const wayOut = near.length > 0 ? `did you mean ${near.join(', ')}?` : `must be one of: ${known.join(', ')}.`;
  return { rule: 'known_event', message: `\`event\` ${JSON.stringify(name)} ${refusal}; ${wayOut}` };
};

/** Returns up to three names that the client may have meant, nearest first. */
export const nearMatches = (name: string, known: readonly string[]): string[] =>
  known
    // A single character is near to everything short.
    .filter((event) => event.length > 1)
    .map((event) => ({ event, edits: distance(name.toLowerCase(), event) }))
    .filter(({ event, edits }) => edits <= Math.max(3, Math.ceil(event.length / 3)))
    .sort((a, b) => a.edits - b.edits)
    .slice(0, 3)
    .map(({ event }) => event);
