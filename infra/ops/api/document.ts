/** The endpoints that a key may call, read from `docs/openapi.json`: what the generated commands know of the API. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../cdk/root.ts';

export interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly (string | null)[];
  readonly const?: unknown;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly $ref?: string;
}

export interface Field {
  readonly name: string;
  readonly in: 'query' | 'body';
  readonly schema: Schema;
  readonly isRequired: boolean;
}

/** The schema of an object, with its name in the document, such as `Webhook`. */
export interface Kind {
  readonly resource: string;
  readonly item: Schema;
}

interface Answer extends Kind {
  readonly root: string;
  readonly isList: boolean;
}

export interface Endpoint {
  /** As in the contract, such as `webhooks/create`. */
  readonly function: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string | undefined;
  readonly ids: readonly { readonly name: string; readonly example?: string }[];
  readonly fields: readonly Field[];
  readonly root: string | undefined;
  readonly answer: Answer | undefined;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly example?: string;
  readonly schema: Schema;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface Operation {
  readonly summary: string;
  readonly description?: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
  readonly 'x-function': string;
  readonly 'x-callers': readonly string[];
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const file = join(root, 'docs/openapi.json');
const document: Document = JSON.parse(readFileSync(file, 'utf8'));

/** Returns the name of the schema that a reference leads to. */
export const nameIn = ({ $ref = '' }: Schema): string => $ref.split('/').at(-1) ?? '';

/** Returns a schema without its reference; keywords beside the reference count. */
export const resolved = (schema: Schema): Schema => ({ ...document.components.schemas[nameIn(schema)], ...schema });

/** Returns the kind with this name. */
export const kindOf = (resource: string): Kind => ({ resource, item: document.components.schemas[resource] ?? {} });

const jsonOf = (content: Content | undefined): Schema | undefined => content?.['application/json']?.schema;

const itemsIn = (body: Schema | undefined) => Object.entries(body?.properties ?? {}).find(([key]) => key !== 'meta');

const bodyFields = (item: Schema): Field[] =>
  Object.entries(item.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'body',
    schema: resolved(schema),
    isRequired: item.required?.includes(name) ?? false,
  }));

const answerOf = (operation: Operation): Answer | undefined => {
  const [, success] = Object.entries(operation.responses).find(([status]) => status.startsWith('2')) ?? [];
  const [root, schema] = itemsIn(jsonOf(success?.content)) ?? [];
  if (root === undefined || schema === undefined) return undefined;
  const item = schema.items ?? schema;
  const isList = /\/list/.test(operation['x-function']);
  return { root, resource: nameIn(item), item: resolved(item), isList };
};

const endpointOf = (path: string, method: string, operation: Operation): Endpoint => {
  const [root, sent] = itemsIn(jsonOf(operation.requestBody?.content)) ?? [];
  const query = operation.parameters.filter((one) => one.in === 'query');
  return {
    function: operation['x-function'],
    method: method.toUpperCase(),
    path,
    summary: operation.summary,
    description: operation.description,
    ids: operation.parameters.filter((one) => one.in === 'path'),
    fields: [
      ...query.map(({ name, description = '', required = false, schema }): Field => {
        return { name, in: 'query', schema: { description, ...schema }, isRequired: required };
      }),
      ...(sent?.items === undefined ? [] : bodyFields(resolved(sent.items))),
    ],
    root,
    answer: answerOf(operation),
  };
};

/** The endpoints, without those that need no key: pages, and what a person does before signing in. */
export const endpoints: readonly Endpoint[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([, operation]) => operation['x-callers']?.includes('anyone') === false)
    .map(([method, operation]) => endpointOf(path, method, operation)),
);

/** Returns the endpoint of a function. @throws Error if the document has none */
export const endpointNamed = (name: string): Endpoint => {
  const found = endpoints.find((one) => one.function === name);
  if (found === undefined) throw new Error(`docs/openapi.json has no endpoint ${name}: run npm run openapi.`);
  return found;
};
