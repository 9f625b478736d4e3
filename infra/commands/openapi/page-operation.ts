/** One operation on the page: what it takes, what it answers, how it fails, and examples as they go over the wire. */
import { type Html, html } from '../../../shared/foundation/html.ts';
import { inline } from './markdown.ts';
import { fieldTable, kindOf } from './page-schema.ts';
import { type Document, nameOf, type Parameter, type Response, type Schema, type ShownOperation } from './shown.ts';

interface Shown {
  readonly method: string;
  /** Of the contract; that of a delivery is only a name. */
  readonly path: string;
  readonly operation: ShownOperation;
}

const callerNames: Readonly<Record<string, string>> = {
  Owner: 'the Owner',
  Administrator: 'Administrators',
  staff: 'any staff member',
  integration: 'integrations',
  anyone: 'anyone, without a key',
};

/** The operation's part of the page; `baseUrl` stands in its examples. */
export const operationArticle = ({ method, path, operation }: Shown, document: Document, baseUrl: string): Html => {
  const callers = operation['x-callers']?.map((caller) => callerNames[caller] ?? caller);
  // Those that all operations have in common are told in the introduction.
  const parameters = (operation.parameters ?? []).filter((parameter) => parameter.$ref === undefined);
  return html`<article id="${operation.operationId}" aria-labelledby="title-${operation.operationId}">
<h3 id="title-${operation.operationId}">${operation.summary}</h3>
<p class="path"><code><span class="method ${method}">${method}</span>${path.startsWith('/') ? path : 'target_url'}</code></p>
${operation.description === undefined ? undefined : html`<p>${inline(operation.description)}</p>`}
${callers === undefined ? undefined : html`<p class="dim">For ${callers.join(', ')}.</p>`}
${parameterTable(parameters, operation.summary)}
${bodyOf(operation, document)}
${answersOf(operation)}
${errorsOf(operation, document)}
${examplesOf({ method, path, operation }, baseUrl)}
</article>
`;
};

const parameterTable = (parameters: readonly Parameter[], summary: string): Html | undefined =>
  parameters.length === 0
    ? undefined
    : html`<h4>Parameters</h4>
<div class="scroll" role="region" tabindex="0" aria-label="Parameters: ${summary}"><table>
<thead><tr><th scope="col">Name</th><th scope="col">In</th><th scope="col">Kind</th><th scope="col">Meaning</th></tr></thead>
<tbody>${parameters.map(
        ({ name = '', in: place = '', schema = {}, description = '' }) =>
          html`<tr><th scope="row"><code>${name}</code></th><td>${place}</td><td>${kindOf(schema)}</td><td>${inline(description)}</td></tr>`,
      )}</tbody>
</table></div>`;

const bodyOf = ({ requestBody, summary }: ShownOperation, document: Document): Html | undefined => {
  if (requestBody === undefined) return undefined;
  const [[type = '', content] = []] = Object.entries(requestBody.content);
  const schema = content?.schema ?? {};
  const [[root = '', list] = []] = Object.entries(schema.properties ?? {});
  const reference = list?.items?.$ref;
  const item = reference === undefined ? undefined : document.components.schemas[nameOf(reference)];
  return html`<h4>Body</h4>
<p>${
    item === undefined
      ? html`<code>${type}</code>. `
      : html`<code>{"${root}": [<a href="#object-${nameOf(reference ?? '')}">${nameOf(reference ?? '')}</a>]}</code>. `
  }${requestBody.description}</p>
${fieldTable(item ?? schema, `Fields of the body: ${summary}`)}`;
};

const answersOf = ({ responses }: ShownOperation): Html =>
  html`<h4>Answer</h4>
<ul>${Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([status, response]) => html`<li>${answerOf(status, response ?? {})}</li>`)}</ul>`;

const answerOf = (status: string, { description = '', headers = {}, content = {} }: Response): Html => {
  const [[type, { schema }] = ['', { schema: {} as Schema }]] = Object.entries(content).flatMap(([name, one]) =>
    one ? [[name, one] as const] : [],
  );
  const [[root = '', list] = []] = Object.entries(schema.properties ?? {});
  const location = headers.Location?.description;
  return html`<strong>${status}</strong>: ${inline(description)}${
    list === undefined
      ? type === ''
        ? undefined
        : html` <code>${type}</code>`
      : html` <code>{"${root}": [${kindOf(list.items ?? {})}]}</code>`
  }${schema.properties?.meta === undefined ? undefined : html`, with <code>meta</code>`}${
    location === undefined ? undefined : html`<br><code>Location</code>: ${location}`
  }`;
};

const errorsOf = ({ responses, summary }: ShownOperation, document: Document): Html | undefined => {
  const errors = Object.entries(responses).flatMap(([status, response]) => {
    const resolved = response?.$ref === undefined ? response : document.components.responses[nameOf(response.$ref)];
    return (resolved?.['x-errors'] ?? []).map((error) => ({ status, ...error }));
  });
  if (errors.length === 0) return undefined;
  return html`<details><summary>Errors (${errors.length})</summary>
<div class="scroll" role="region" tabindex="0" aria-label="Errors: ${summary}"><table>
<thead><tr><th scope="col">Status</th><th scope="col">Type</th><th scope="col">Code, property</th><th scope="col">When</th></tr></thead>
<tbody>${errors.map(
    ({ status, type, code, property, when }) =>
      html`<tr><td>${status}</td><td>${type === undefined ? 'a page' : html`<code>${type}</code>`}</td><td>${[
        code,
        property,
      ]
        .filter((part) => part !== undefined)
        .map((part) => html`<code>${part}</code> `)}</td><td>${inline(when)}</td></tr>`,
  )}</tbody>
</table></div></details>`;
};

const examplesOf = ({ method, path, operation }: Shown, baseUrl: string): Html[] => {
  const [[type, content] = []] = Object.entries(operation.requestBody?.content ?? {});
  const sent = content?.examples ?? {};
  const { pathname, host } = new URL(baseUrl);
  if (operation['x-examples'] === undefined)
    return Object.values(sent).map((example) => exampleOf(example?.summary ?? '', pretty(example?.value)));
  return Object.entries(operation['x-examples']).flatMap(([name, example]) => {
    if (example === undefined) return [];
    const filled = path.replace(/\{(\w+)\}/g, (whole, parameter: string) => example.path?.[parameter] ?? whole);
    const query = Object.entries(example.query ?? {}).map(([key, value]) => `${key}=${value}`);
    const body = sent[name]?.value;
    const contents = Object.values(operation.responses[String(example.status)]?.content ?? {});
    const answer = contents.map((content) => content?.examples?.[name]?.value).find((value) => value !== undefined);
    return [
      exampleOf(
        `${example.summary}: ${example.status}`,
        [
          `${method} ${pathname}${filled}${query.length > 0 ? `?${query.join('&')}` : ''} HTTP/1.1`,
          `Host: ${host}`,
          ...(example.caller === 'anyone' ? [] : [`Authorization: Ghost <token of ${keyOf(example.caller)}>`]),
          ...(body === undefined ? [] : [`Content-Type: ${type}`, '', pretty(body)]),
          '',
          `HTTP/1.1 ${example.status}`,
          ...(answer === undefined ? [] : ['', pretty(answer)]),
        ].join('\n'),
      ),
    ];
  });
};

const keyOf = (caller: string): string => (caller === 'integration' ? "an integration's key" : `the ${caller}'s key`);

const exampleOf = (summary: string, text: string): Html =>
  html`<details><summary>Example: ${summary}</summary><pre tabindex="0"><code>${text}</code></pre></details>`;

const pretty = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));
