/** Compares responses with the OpenAPI document: statuses, schemas, and no undocumented fields. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import committed from '../../docs/openapi.json' with { type: 'json' };
import { contract, type EndpointLine, type FunctionName } from '../../shared/contract.ts';
import type { TestResponse } from './parts.ts';

interface Media {
  readonly schema: { readonly properties?: Readonly<Record<string, { readonly maxItems?: number }>> };
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

/** The parts of an operation that tests read. */
export interface DocumentedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly requestBody?: {
    readonly content: Readonly<Record<string, Media>>;
    readonly 'x-body-limit-bytes': number;
  };
  readonly responses: Readonly<
    Record<string, { readonly $ref?: string; readonly content?: Readonly<Record<string, Media>> }>
  >;
  readonly security: readonly object[];
  readonly 'x-examples': Readonly<
    Record<
      string,
      {
        readonly summary: string;
        readonly caller: 'Owner' | 'integration' | 'session' | 'anyone';
        readonly path?: Readonly<Record<string, string>>;
        readonly query?: Readonly<Record<string, string>>;
        readonly ghostSecret?: string;
        readonly status: number;
      }
    >
  >;
}

/** The committed document, which `test/unit/openapi-document.test.ts` compares with the code. */
const document = committed as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly responses: Readonly<Record<string, DocumentedOperation['responses'][string]>>;
  };
};

/** Returns the line of an endpoint. @throws for other functions */
export const endpointLine = (name: FunctionName): EndpointLine => {
  const line = contract.find((candidate) => candidate.function === name);
  if (line?.kind !== 'endpoint') throw new Error(`The function ${name} is not an endpoint.`);
  return line;
};

/** Returns the operation of a function. @throws if the document has none */
export const documentedOperation = (name: FunctionName): DocumentedOperation => {
  const { path, method } = endpointLine(name);
  const operation = document.paths[path]?.[method.toLowerCase()];
  if (operation === undefined) throw new Error(`The OpenAPI document has no operation of the function ${name}.`);
  return operation;
};

/** Closes schemas: the document allows further fields for the future, tests do not. */
export const closed = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, closed(value)]));
  return 'properties' in inner && 'type' in inner ? { additionalProperties: false, ...inner } : inner;
};

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
ajv.addSchema({ $id: 'masthead', components: { schemas: closed(document.components.schemas) } });

/** Returns how a response differs from the document. */
export const undocumented = (name: FunctionName, answer: TestResponse): string[] => {
  const stated = documentedOperation(name).responses[String(answer.status)];
  if (stated === undefined) return [`The status ${answer.status} is not documented.`];
  const response = stated.$ref === undefined ? stated : document.components.responses[lastOf(stated.$ref)];
  const contents = Object.entries(response?.content ?? {});
  if (contents.length === 0) return answer.text === '' ? [] : ['The answer should be empty.'];
  const [type, media] = contents.find(([name]) => answer.headers['content-type']?.startsWith(name)) ?? [];
  if (type === undefined || media === undefined)
    return [`The Content-Type ${answer.headers['content-type']} is not documented.`];
  if (type !== 'application/json') return [];
  const validate = validatorOf(media);
  return validate(answer.body)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
};

/** Compiles a schema once, because fuzz tests validate thousands of responses. */
const validatorOf = (media: Media): ValidateFunction => {
  const known = validators.get(media);
  if (known !== undefined) return known;
  const validate = ajv.compile(JSON.parse(JSON.stringify(closed(media.schema)).replaceAll('"#/', '"masthead#/')));
  validators.set(media, validate);
  return validate;
};

const validators = new WeakMap<Media, ValidateFunction>();

const lastOf = (reference: string): string => reference.split('/').at(-1) ?? '';
