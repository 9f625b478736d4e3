/** The events that a webhook can subscribe to, and what their payloads are keyed by (wire contract, "The 29 event names"). */
import { distance } from 'fastest-levenshtein';

const postEvents = [
  'added',
  'deleted',
  'edited',
  'published',
  'published.edited',
  'unpublished',
  'scheduled',
  'unscheduled',
  'rescheduled',
  'tag.attached',
  'tag.detached',
];

/** Ghost's 29. */
export const ghostEvents: readonly string[] = [
  'site.changed',
  ...['post', 'page'].flatMap((resource) => postEvents.map((name) => `${resource}.${name}`)),
  ...['tag', 'member'].flatMap((resource) => ['added', 'edited', 'deleted'].map((name) => `${resource}.${name}`)),
];

/** Events that Masthead itself publishes; webhooks may subscribe to them, publishers may not send them. */
export const mastheadEvents: readonly string[] = ['staff.added'];

/** All events that a webhook of this stage can subscribe to. */
export const knownEvents = (ownEvents: readonly string[]): readonly string[] => [
  ...ghostEvents,
  ...mastheadEvents,
  ...ownEvents,
];

/** The key of an event's payload: its first part, so that `post.tag.attached` has `post`; none for `site.changed`. */
export const resourceOf = (event: string): string | undefined =>
  event === 'site.changed' ? undefined : event.split('.', 1)[0];

/** Up to three events that the caller may have meant, nearest first. */
export const nearMatches = (name: string, known: readonly string[]): string[] =>
  known
    .map((event) => ({ event, edits: distance(name.toLowerCase(), event) }))
    .filter(({ event, edits }) => edits <= Math.max(3, Math.ceil(event.length / 3)))
    .sort((a, b) => a.edits - b.edits)
    .slice(0, 3)
    .map(({ event }) => event);
