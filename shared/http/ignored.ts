/** Names the fields of a request that its resource does not have. They are ignored, as in Ghost, but not silently. */
import { isJsonObject } from '../foundation/exact-json.ts';
import type { Body } from './body.ts';

const maxNames = 10;

/** Returns the header `Masthead-Ignored` for the first item under a root key, if it has unknown fields. */
export const ignoredHeader = (body: Body, root: string, known: readonly string[]): Readonly<Record<string, string>> => {
  const items =
    body.kind === 'json' && isJsonObject(body.json) ? (body.json as Record<string, unknown>)[root] : undefined;
  const [item] = Array.isArray(items) ? (items as unknown[]) : [];
  if (!isJsonObject(item)) return {};
  const names = Object.keys(item).filter((name) => !known.includes(name));
  if (names.length === 0) return {};
  const shown = names.slice(0, maxNames).map((name) => (/^[\w.-]{1,50}$/.test(name) ? name : '?'));
  return { 'Masthead-Ignored': [...new Set(shown)].join(', ') };
};
