/** Prepares the OpenAPI document for the page: this origin as server, a scheme that takes a key, callers, samples. */
import type { Caller } from '../../shared/contract.ts';
import { callerNames } from '../../shared/http/caller-names.ts';
import { type CodeSample, samplesOf } from './samples.ts';

/** The parts of the document that the page reads or changes; everything else passes through. */
export interface OpenApiDocument {
  readonly info: { readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: object;
}

interface Operation {
  readonly description?: string;
  readonly security: readonly object[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly examples?: Examples }>> };
  readonly 'x-callers': readonly Caller[];
  readonly 'x-examples': Readonly<
    Record<
      string,
      {
        readonly path?: Readonly<Record<string, string>>;
        readonly query?: Readonly<Record<string, string>>;
        readonly status: number;
      }
    >
  >;
}

type Examples = Readonly<Record<string, { readonly value: unknown }>>;

export const schemeName = 'AdminApiKey';

/** A scheme for the key that people enter. No renderer supports Ghost's, so the page signs a token (`token.ts`). */
const keyScheme = {
  type: 'http',
  scheme: 'bearer',
  description:
    'Enter an Admin API key, `{id}:{secret}`. The page signs a token with it for every request. ' +
    'The key stays in the memory of this page and is lost when you leave it.',
};

/** Returns the document as the page shows it; `baseUrl` is the URL before the paths, without a slash at the end. */
export const presented = (document: OpenApiDocument, baseUrl: string): Record<string, unknown> => ({
  ...document,
  info: {
    ...document.info,
    description:
      `${document.info.description}\n\n## For programs\n\n` +
      `This page shows [the OpenAPI document](${baseUrl}/admin/openapi.json).`,
  },
  servers: [{ url: baseUrl }],
  paths: mapped(document.paths, (item, path) =>
    mapped(item, (operation, method) => presentedOperation(operation, method.toUpperCase(), `${baseUrl}${path}`)),
  ),
  components: { ...document.components, securitySchemes: { [schemeName]: keyScheme } },
});

const presentedOperation = (operation: Operation, method: string, url: string): object => ({
  ...operation,
  // Other pages and programs have no session.
  security: operation.security.filter((scheme) => schemeName in scheme),
  description: [
    operation.description,
    `Callers: ${operation['x-callers'].map((caller) => callerNames[caller]).join(', ')}.`,
  ]
    .filter((part) => part !== undefined)
    .join('\n\n'),
  'x-codeSamples': samplesOfOperation(operation, method, url),
});

const samplesOfOperation = (operation: Operation, method: string, url: string): CodeSample[] => {
  const [name, example] = Object.entries(operation['x-examples']).find(([, { status }]) => status < 400) ?? [];
  if (name === undefined || example === undefined) return [];
  const filled = url.replace(/\{(\w+)\}/g, (whole, parameter: string) => example.path?.[parameter] ?? whole);
  const query = new URLSearchParams(example.query).toString();
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const body = content?.examples?.[name]?.value;
  return samplesOf({
    method,
    url: query === '' ? filled : `${filled}?${query}`,
    needsKey: operation.security.length > 0,
    ...(type !== undefined && body !== undefined && { body: { type, value: body } }),
  });
};

const mapped = <From, To>(
  record: Readonly<Record<string, From>>,
  change: (value: From, name: string) => To,
): Record<string, To> => Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]));
