/** What a format turns into a request: the event and its body, as the webhook's API version has it. */
import { isJsonObject } from '../foundation/exact-json.ts';

export type Fields = Readonly<Record<string, unknown>>;

export interface Rendering {
  readonly event: string;
  readonly event_id: string;
  /** ISO time at which the event was accepted. */
  readonly event_time: string;
  /** The body that a webhook without a format gets. */
  readonly body: Fields;
}

type Headers = Readonly<Record<string, string>>;

/** The body of a request, empty for none, and the headers that it needs. */
export interface Rendered {
  readonly headers: Headers;
  /** Headers whose values nobody is shown. */
  readonly credentials: Headers;
  readonly body: string;
  /** The URL of the request, with the origin of the webhook's target; the target itself if missing. */
  readonly url?: string;
}

/** Returns a body of JSON, with further headers. */
export const jsonBody = (body: object, credentials: Headers = {}, headers: Headers = {}): Rendered => ({
  headers: { 'Content-Type': 'application/json', ...headers },
  credentials,
  body: wellFormedJson(body),
});

/** `JSON.stringify` escapes a lone surrogate, which strict receivers refuse. After an escaped backslash it is text. */
const wellFormedJson = (body: object): string => {
  const json = JSON.stringify(body);
  return json.includes('\\ud') ? json.replace(/(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g, '$1\ufffd') : json;
};

/** Returns the first part of an event's name, which is the key of its resource: `post` of `post.published.edited`. */
export const resourceOf = (event: string): string => event.split('.', 1)[0] ?? '';

/** Returns the resource as it is now, or as it was before it was deleted. */
export const subjectOf = ({ event, body }: Pick<Rendering, 'event' | 'body'>): Fields => {
  const parts = body[resourceOf(event)];
  if (!isJsonObject(parts)) return {};
  const { current, previous } = parts as Fields;
  if (isJsonObject(current) && Object.keys(current).length > 0) return current as Fields;
  return isJsonObject(previous) ? (previous as Fields) : {};
};

/** Returns a field that is a text with visible characters, or an `id` that is a number, as not all are Ghost's. */
export const textOf = (fields: Fields, name: string): string | undefined => {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (name === 'id' && typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
};

/** Returns the objects in a list. */
export const membersOf = (fields: Fields, list: string): Fields[] => {
  const value = fields[list];
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
};

/** Returns the text of a list's members, each named by its field. */
export const namesOf = (fields: Fields, list: string, name: string): string[] =>
  membersOf(fields, list).flatMap((one) => textOf(one, name) ?? []);

const maxUrl = 2000;

/** Returns an address that readers may open, as services refuse others: no `/404/` (Ghost), no private name. */
export const linkOf = (fields: Fields, name: string): string | undefined => {
  const text = textOf(fields, name);
  const url = text === undefined || text.length > maxUrl ? null : URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  if (!/\.[^.]/.test(url.hostname) || /\/404\/?$/.test(url.pathname)) return undefined;
  // Not encoded by the parser, but markup for Slack and Discord.
  const href = url.href.replace(
    /[|<>()[\]*_~`\\]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return href.length > maxUrl ? undefined : href;
};
