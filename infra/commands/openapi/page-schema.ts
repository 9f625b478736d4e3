/** Schemas on the page: a table of fields, and a value's kind and limits in words. */
import { type Html, html } from '../../../shared/foundation/html.ts';
import { inline } from './markdown.ts';
import { nameOf, type Schema } from './shown.ts';

/** The fields of an object, those of a list's items, or the kind of value alone. */
export const fieldTable = (schema: Schema, caption: string): Html => {
  if (schema.properties === undefined) return html`<p>${kindOf(schema)}</p>`;
  const fields = Object.entries(schema.properties).flatMap(([name, field]) => (field ? [{ name, field }] : []));
  return html`<div class="scroll" role="region" tabindex="0" aria-label="${caption}"><table>
<thead><tr><th scope="col">Field</th><th scope="col">Kind</th><th scope="col">Meaning</th></tr></thead>
<tbody>${fields.map(
    ({ name, field }) => html`<tr><th scope="row"><code>${name}</code>${
      schema.required?.includes(name) ? undefined : html`<br><span class="dim">optional</span>`
    }</th><td>${kindOf(field)}</td><td>${meaningOf(field)}</td></tr>
${inner(field).map(
  ([innerName, innerField]) =>
    html`<tr><th scope="row"><code>${name}.${innerName}</code></th><td>${kindOf(innerField)}</td><td>${meaningOf(innerField)}</td></tr>`,
)}`,
  )}</tbody>
</table></div>`;
};

/** Fields of an object, or of a list's objects, that have no name of their own. */
const inner = (field: Schema): [string, Schema][] =>
  Object.entries(field.properties ?? field.items?.properties ?? {}).flatMap(([name, schema]) =>
    schema ? [[name, schema] as [string, Schema]] : [],
  );

const meaningOf = ({ description, examples, default: usual }: Schema): Html[] => [
  ...inline(description ?? ''),
  ...(examples === undefined ? [] : [html` Known: `, ...listed(examples), html`.`]),
  ...(usual === undefined ? [] : [html` Without it: <code>${JSON.stringify(usual)}</code>.`]),
];

const listed = (values: readonly unknown[]): Html[] =>
  values.map((value, position) => html`${position === 0 ? '' : ', '}<code>${textOf(value)}</code>`);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** What kind of value it is, with its limits. */
export const kindOf = (schema: Schema): Html => {
  if (schema.$ref !== undefined) return html`<a href="#object-${nameOf(schema.$ref)}">${nameOf(schema.$ref)}</a>`;
  if (schema.anyOf !== undefined)
    return html`${schema.anyOf.map((one, position) => html`${position === 0 ? '' : ' or '}${kindOf(one)}`)}`;
  if (schema.const !== undefined) return html`<code>${textOf(schema.const)}</code>`;
  if (schema.enum !== undefined) return html`${listed(schema.enum)}`;
  if (schema.items !== undefined) return html`list of ${kindOf(schema.items)}${limitsOf(schema)}`;
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['anything']);
  return html`${types.join(' or ')}${limitsOf(schema)}`;
};

const limitsOf = (schema: Schema): Html[] => {
  const { format, pattern, minLength, maxLength, minimum, maximum, minItems, maxItems } = schema;
  const limits = [
    format,
    maxLength === undefined ? undefined : `at most ${maxLength} characters`,
    minLength === undefined ? undefined : `at least ${minLength}`,
    minimum === undefined ? undefined : `from ${minimum}`,
    maximum === undefined ? undefined : `to ${maximum}`,
    minItems === undefined ? undefined : `at least ${minItems}`,
    maxItems === undefined ? undefined : `at most ${maxItems}`,
  ].filter((limit) => limit !== undefined);
  const named = pattern === '^[0-9a-f]{24}$' ? ['24 hex characters'] : [];
  const words = [...named, ...limits].join(', ');
  const isTold = pattern === undefined || named.length > 0 || format !== undefined;
  return [
    ...(words === '' ? [] : [html`<span class="dim">, ${words}</span>`]),
    ...(isTold ? [] : [html`<br><code class="dim">${pattern}</code>`]),
  ];
};
