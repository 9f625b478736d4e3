/** The address of a view: a path and a query after the `#`, so that every state of a list can be shared as a link. */
import { createStore, useStore } from './store.ts';

export interface Place {
  /** The parts of the path, such as `['webhooks', '6f…']`. */
  readonly parts: readonly string[];
  readonly query: Readonly<Record<string, string>>;
}

export interface ViewProps {
  readonly place: Place;
}

/** Values of a query; undefined and empty ones are omitted. */
export type Query = Readonly<Record<string, string | undefined>>;

const read = (): Place => {
  const [path = '', query = ''] = location.hash.slice(1).split('?', 2);
  return {
    parts: path
      .split('/')
      .filter((part) => part !== '')
      .map(decoded),
    query: Object.fromEntries(new URLSearchParams(query)),
  };
};

/** A typed address may have a stray `%`. */
const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

const place = createStore(read());

/** The last query of each list, by path, so that a reader who returns from a row sees the same list. */
const queries = new Map<string, Place['query']>();
const remember = (): void => {
  const { parts, query } = place.get();
  queries.set(parts.join('/'), query);
};
remember();
place.follow(remember);

let askBeforeLeaving = (): boolean => true;

/** Returns whether the reader may leave the view; asks them if something would be lost. */
export const mayLeave = (): boolean => askBeforeLeaving();

/** Asks `ask` before another view is shown, until the returned function is called. */
export const guardPlace = (ask: () => boolean): (() => void) => {
  askBeforeLeaving = ask;
  return () => {
    // Another view may have its own guard by now.
    if (askBeforeLeaving === ask) askBeforeLeaving = () => true;
  };
};

addEventListener('hashchange', () => {
  const { parts, query } = place.get();
  if (read().parts.join('/') === parts.join('/') || mayLeave()) place.set(read());
  else history.pushState(null, '', linkTo(parts, query));
});

/** Returns the link to a list with the filters that the reader last used. */
export const linkBackTo = (parts: readonly string[]): string => linkTo(parts, queries.get(parts.join('/')));

/** Returns the current address, and renders again when it changes. */
export const usePlace = (): Place => useStore(place);

/** Returns the link to a view. */
export const linkTo = (parts: readonly string[], query: Query = {}): string => {
  const filled = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, value] as [string, string]],
  );
  const path = `#/${parts.map(encodeURIComponent).join('/')}`;
  return filled.length === 0 ? path : `${path}?${new URLSearchParams(filled)}`;
};

/** Shows a view as a new entry of the history. */
export const goTo = (parts: readonly string[], query?: Query): void => {
  location.hash = linkTo(parts, query);
};

/** Replaces the view without a history entry: for filters, and for addresses that must not stay in the history. */
export const replaceWith = (parts: readonly string[], query?: Query): void => {
  history.replaceState(null, '', linkTo(parts, query));
  place.set(read());
};
