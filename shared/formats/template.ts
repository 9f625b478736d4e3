/**
 * The format `template`: the owner of a webhook writes its body as JSON, whose strings can have placeholders such as
 * `{{post.current.title}}`, `{{post.current.title ?? "Untitled"}}` or `{{post.current.title | html}}` (escaped).
 * There are no loops, conditions or code, so that the cost has a bound (ADR 23).
 */
import * as v from 'valibot';
import { isJsonObject } from '../foundation/exact-json.ts';
import { jsonObject, rule } from '../foundation/fields.ts';
import { escapedHtml } from '../foundation/html.ts';
import { field } from '../foundation/resource.ts';
import { headlineOf } from './headline.ts';
import { jsonLengths } from './json-length.ts';
import type { Preset } from './preset.ts';
import { type Fields, jsonBody, type Rendering } from './rendering.ts';
import { cleaned } from './shorten.ts';

const maxBytes = 16 * 1024;
const maxDepth = 10;
const maxPlaceholders = 50;
/** Characters that all placeholders together may insert. What does not fit is null, or empty within a string. */
const maxInserted = 256 * 1024;

/** A path, perhaps a default, and perhaps the HTML escape. The default must be JSON, or each delivery would fail. */
const placeholder =
  /\{\{\s*([\w-]+(?:\.[\w-]+)*)\s*(?:\?\?\s*("(?:[^"\\{}\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?|true|false|null)\s*)?(\|\s*html\s*)?\}\}/gu;

/** Returns what is wrong with a template, as the end of a sentence. */
export const templateProblem = (template: unknown): string | undefined => {
  if (Buffer.byteLength(JSON.stringify(template)) > maxBytes) return `must have at most ${maxBytes} bytes`;
  let placeholders = 0;
  const problemOf = (value: unknown, depth: number): string | undefined => {
    if (depth > maxDepth) return `must have at most ${maxDepth} levels`;
    if (typeof value === 'string') {
      placeholders += [...value.matchAll(placeholder)].length;
      const rest = value.replace(placeholder, '');
      const [broken] = /\{\{.{0,50}/.exec(rest) ?? [];
      return (
        broken &&
        `has \`${broken}\`, which is no placeholder; write {{post.current.title}} or ` +
          '{{post.current.title ?? "None"}}, with a default that is JSON'
      );
    }
    if (typeof value !== 'object' || value === null) return undefined;
    for (const inner of Object.values(value)) {
      const problem = problemOf(inner, depth + 1);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
  const problem = problemOf(template, 1);
  return problem ?? (placeholders > maxPlaceholders ? `must have at most ${maxPlaceholders} placeholders` : undefined);
};

export const template: Preset<{ readonly template: unknown }> = {
  settings: {
    template: field(
      v.pipe(
        v.union([v.array(v.unknown()), jsonObject], 'must be a JSON object or array.'),
        rule((value) => {
          const problem = templateProblem(value);
          return problem === undefined ? undefined : { rule: 'template', message: `${problem}.` };
        }),
      ),
      'JSON, in whose strings `{{path}}` and `{{path ?? default}}` stand for values of the payload. ' +
        'If a string is only a placeholder, the value keeps its type. ' +
        'A missing value is null, or the default. `{{path | html}}` escapes text for HTML. ' +
        "`{{public_excerpt}}` is the excerpt for every reader; `excerpt` and `plaintext` also have a post's cards for " +
        'members.',
      { text: '{{post.current.title}}', reading_time: '{{post.current.reading_time ?? 0}}' },
    ),
  },
  render: (rendering, settings) => jsonBody(renderTemplate(settings.template, rendering) as object),
};

/** Returns the template with the values of an event. */
export const renderTemplate = (value: unknown, rendering: Rendering): unknown => {
  const { event, event_id, event_time, body } = rendering;
  const public_excerpt = headlineOf(rendering).excerpt ?? null;
  const values: Fields = { event_id, event_time, public_excerpt, ...body, event };
  const lengthOf = jsonLengths();
  let left = maxInserted;
  const insert: Insert = (path, fallback, escaping) => {
    const found =
      valueAt(values, path.split('.')) ?? (fallback === undefined ? null : (JSON.parse(fallback) as unknown));
    const length = typeof found === 'string' ? found.length : lengthOf(found);
    if (length > left) return null;
    left -= length;
    if (typeof found !== 'string') return found;
    return escaping === undefined ? found.toWellFormed() : escapedHtml(found.toWellFormed());
  };
  const fill = (one: unknown): unknown => {
    if (typeof one === 'string') return fillText(one, insert);
    if (Array.isArray(one)) return one.map(fill);
    if (!isJsonObject(one)) return one;
    return Object.fromEntries(Object.entries(one).map(([name, inner]) => [name, fill(inner)]));
  };
  return fill(value);
};

/** Returns the value of a placeholder, from its parts. */
type Insert = (path: string, fallback: string | undefined, escaping: string | undefined) => unknown;

const fillText = (text: string, insert: Insert): unknown => {
  const [first] = text.matchAll(placeholder);
  if (first !== undefined && first[0].length === text.length) return insert(first[1] ?? '', first[2], first[3]);
  return text.replace(
    placeholder,
    (_whole, path: string, fallback: string | undefined, escaping: string | undefined) => {
      const value = insert(path, fallback, escaping);
      if (value === null || value === undefined) return '';
      if (typeof value === 'string') return cleaned(value);
      return escaping === undefined ? JSON.stringify(value) : escapedHtml(JSON.stringify(value));
    },
  );
};

const valueAt = (value: unknown, [name, ...rest]: readonly string[]): unknown => {
  if (name === undefined) return value;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return valueAt((value as Fields)[name], rest);
};
