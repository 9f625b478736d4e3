/**
 * What a webhook selects with its `event`: names, patterns such as `post.*`, and `*`, separated by commas. Patterns
 * include Ghost's events and the stage's own, also later ones, but never Masthead's. Browsers use this file too.
 */
import { ghostEvents, mastheadEvents } from './event-names.ts';

const everything = '*';

/** Returns the names and patterns of a selection, each once. */
export const namesIn = (selection: string): readonly string[] => [...new Set(selection.split(','))];

const patternFor = (event: string): string => `${event.split('.', 1)[0]}.*`;

/** Returns the patterns that include a name or a pattern, the narrowest first. */
const patternsAround = (name: string): readonly string[] => {
  if (name === everything || mastheadEvents.includes(name)) return [];
  return name.endsWith('.*') ? [everything] : [patternFor(name), everything];
};

/** Returns the lists of subscribers that an event goes to, in reading order: of its name, and of patterns around it. */
export const listsOf = (event: string): readonly [string, ...string[]] => [event, ...patternsAround(event)];

/** Returns the lists that a webhook is in: its names and patterns that no wider one includes, so events come once. */
export const subscribedLists = (selection: string): readonly string[] => {
  const names = namesIn(selection);
  return names.filter((name) => !patternsAround(name).some((pattern) => names.includes(pattern)));
};

/** Returns whether a selection includes all that another one does, which can be the name of a single event. */
export const covers = (selection: string, other: string): boolean => {
  const names = namesIn(selection);
  return namesIn(other).every((name) => listsOf(name).some((list) => names.includes(list)));
};

/** Returns the names and patterns of `selection` that share at least one event with `other`. */
export const overlap = (selection: string, other: string): readonly string[] =>
  namesIn(selection).filter((name) => covers(other, name) || namesIn(other).some((one) => covers(name, one)));

/** Returns the patterns of a stage with these events of its own. */
export const patternsOf = (ownEvents: readonly string[]): readonly string[] => [
  ...new Set([...ghostEvents, ...ownEvents].map(patternFor)),
  everything,
];

/** Returns the names in a selection, and the events of a stage that its patterns include now. */
export const eventsIn = (selection: string, ownEvents: readonly string[]): readonly string[] =>
  namesIn(selection).flatMap((name) =>
    name.endsWith(everything) ? [...ghostEvents, ...ownEvents].filter((event) => covers(name, event)) : [name],
  );
