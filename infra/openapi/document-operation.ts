/** One endpoint in the OpenAPI document: its parameters, body, responses and errors. */

import type * as v from 'valibot';
import type { EndpointLine } from '../../shared/contract.ts';
import { defaultBodyLimit } from '../../shared/http/body.ts';
import type { ErrorCase, Example } from '../../shared/http/documentation.ts';
import { errorResponse } from '../../shared/http/envelope.ts';
import { itemOf, nameOf } from './components.ts';
import { errorsOf, isCommon } from './errors.ts';
import { type Json, plainSchema } from './json-schema.ts';
import type { Operation } from './operations.ts';

/** Returns the operation of an endpoint, with the errors of its line in the contract and its own. */
export const operationOf = (line: EndpointLine, operation: Operation): Json => ({
  operationId: line.function.replace(/[/-](\w)/g, (_match, letter: string) => letter.toUpperCase()),
  tags: [operation.documentation.tag],
  summary: operation.documentation.summary,
  ...(operation.documentation.description && { description: operation.documentation.description }),
  security: isOpen(line) ? [] : [{ AdminApiKey: [] }, { Session: [] }],
  parameters: [
    ...[...line.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => pathParameter(name, operation)),
    ...Object.entries(operation.query).map(([name, { schema, description, required }]) => ({
      name,
      in: 'query',
      ...(required && { required }),
      description,
      schema: plainSchema(schema),
    })),
    ...Object.entries(operation.documentation.headers ?? {}).map(([name, description]) => ({
      name,
      in: 'header',
      required: true,
      description,
      schema: { type: 'string' },
    })),
    { $ref: '#/components/parameters/Accept-Version' },
  ],
  ...requestBody(line, operation),
  responses: responses(line, operation),
  'x-function': line.function,
  'x-callers': line.callers,
  'x-examples': Object.fromEntries(
    Object.entries(operation.documentation.examples).map(([name, example]) => {
      const { summary, path, query, ghostSecret, caller = isOpen(line) ? 'anyone' : 'Owner' } = example;
      return [
        name,
        {
          summary,
          caller,
          ...(path && { path }),
          ...(query && { query }),
          ...(ghostSecret && { ghostSecret }),
          status: statusOf(example, operation),
        },
      ];
    }),
  ),
});

const isOpen = ({ callers }: EndpointLine): boolean => callers.includes('anyone');

const statusOf = ({ error, status }: Example, { answer }: Operation): number =>
  error?.status ?? status ?? answer.status;

const pathParameters: Readonly<Record<string, string>> = {
  id: 'The id of the resource: 24 lower-case hex characters.',
  key_id: 'The id of the key.',
  delivery_id: 'The id of the delivery.',
  replay_id: 'The id of the replay.',
  session_id: 'The id of the session.',
  integration_id: 'The id of the integration.',
  event: 'The name of the event.',
  address: 'The address of the staff member, in any case.',
  member_slug: 'The slug of the staff member.',
  token: 'The token at the end of the link in the mail.',
  file: 'The name of the file.',
};

const pathParameter = (name: string, operation: Operation): Json => {
  const example = Object.values(operation.documentation.examples).find(({ path }) => path?.[name] !== undefined)
    ?.path?.[name];
  return {
    name,
    in: 'path',
    required: true,
    description:
      operation.knowsMe && name === 'id' ? 'The id of the staff member, or `me` for the caller.' : pathParameters[name],
    schema: {
      type: 'string',
      ...(/id$/.test(name) && {
        pattern: operation.knowsMe && name === 'id' ? '^([0-9a-f]{24}|me)$' : '^[0-9a-f]{24}$',
      }),
    },
    ...(example !== undefined && { example }),
  };
};

const requestBody = (line: EndpointLine, operation: Operation): Json => {
  const { items, documentation } = operation;
  const limit = line.bodyLimit ?? defaultBodyLimit;
  const examples = Object.fromEntries(
    Object.entries(documentation.examples).flatMap(([name, example]) =>
      example.body === undefined ? [] : [[name, { summary: example.summary, value: bodyOf(operation, example) }]],
    ),
  );
  const written = (description: string, type: string, schema: Json, required = true): Json => ({
    requestBody: { required, 'x-body-limit-bytes': limit, description, content: { [type]: { schema, examples } } },
  });
  const { body } = documentation;
  if (body !== undefined && 'form' in body) {
    const description = `The form of the page, at most ${limit / 1024} KiB.`;
    return written(description, 'application/x-www-form-urlencoded', plainSchema(body.form));
  }
  if (body !== undefined)
    return written(`At most ${limit / 1024} KiB, as JSON in UTF-8.`, 'application/json', plainSchema(body.json));
  const item = itemOf(operation);
  if (items === undefined || item === undefined) return {};
  const { root, max } = items;
  const isOptional = items.otherwise !== undefined;
  // Every endpoint refuses an empty list, because it is a client's mistake (docs/compatibility.md, "Errors").
  const list = { type: 'array', items: { ...referenceTo(item), minProperties: 1 }, minItems: 1, maxItems: max };
  return written(
    `${max === 1 ? 'One item' : `1 to ${max} items`}, at most ${limit / 1024} KiB, as JSON in UTF-8.`,
    'application/json',
    { type: 'object', properties: { [root]: list }, ...(!isOptional && { required: [root] }) },
    !isOptional,
  );
};

const referenceTo = (item: v.GenericSchema): Json => ({ $ref: `#/components/schemas/${nameOf(item)}` });

/** Returns what an example sends: its items below the root key, or its form. */
export const bodyOf = ({ items }: Operation, { body: sent }: Example): object | string | undefined =>
  sent !== undefined && items !== undefined ? { [items.root]: sent } : sent;

const listOf = (item: v.GenericSchema): Json => ({ type: 'array', items: referenceTo(item) });

const responses = (line: EndpointLine, operation: Operation): Json => {
  const errors = errorsOf(line, operation);
  const statuses = [...new Set(errors.map(({ status }) => status))].sort((a, b) => a - b);
  return {
    [operation.answer.status]: {
      ...success(operation),
      ...content(operation.answer.status, successSchema(operation), operation),
    },
    ...Object.fromEntries(
      statuses.map((status) => [
        status,
        isCommon(status) && !operation.failure
          ? { $ref: `#/components/responses/Error${status}` }
          : describeErrors(
              status,
              errors.filter((error) => error.status === status),
              operation,
            ),
      ]),
    ),
  };
};

const successes = {
  200: 'Success.',
  201: 'Created.',
  202: 'Accepted.',
  204: 'Success, without a body.',
  303: 'Success: `Location` leads to the next page.',
} as const;

const success = ({ answer, documentation: { what, location } }: Operation): Json => ({
  description: what ?? successes[answer.status],
  headers: {
    'Content-Version': { $ref: '#/components/headers/Content-Version' },
    ...(location !== undefined && {
      Location: { description: location, schema: { type: 'string', format: 'uri' } },
    }),
  },
});

const successSchema = ({ answer, pages }: Operation): Json | undefined => {
  if ('contentType' in answer) return { type: answer.contentType === 'application/json' ? 'object' : 'string' };
  if (!('root' in answer)) return undefined;
  const meta = {
    type: 'object',
    properties: {
      pagination: { $ref: `#/components/schemas/${pages?.isNumbered ? 'NumberedPagination' : 'Pagination'}` },
      ...metaSchemas(answer.meta),
    },
    required: ['pagination'],
  };
  return {
    type: 'object',
    properties: {
      [answer.root]: answer.isSingle ? referenceTo(answer.item) : listOf(answer.item),
      ...(pages && { meta }),
    },
    required: [answer.root, ...(pages && !pages.isFixed ? ['meta'] : [])],
  };
};

const metaSchemas = (meta: Readonly<Record<string, v.GenericSchema>> = {}): Json =>
  Object.fromEntries(Object.entries(meta).map(([name, schema]) => [name, plainSchema(schema)]));

const answerOf = ({ answer }: Operation, { answer: items, pagination, meta }: Example): object | undefined =>
  items && 'root' in answer ? { [answer.root]: items, ...(pagination && { meta: { pagination, ...meta } }) } : items;

const errorId = '5f0c7f4e-6d0b-4a39-9f43-0d7b3f1f5b11';

/** Returns the body of a response, with the examples that receive it. */
const content = (status: number, schema: Json | undefined, operation?: Operation): Json => {
  if (operation === undefined || schema === undefined)
    return schema ? { content: { 'application/json': { schema } } } : {};
  const { answer } = operation;
  const examples = Object.entries(operation.documentation.examples).flatMap(([name, example]) => {
    const value = example.error ? errorResponse(example.error, errorId).body : answerOf(operation, example);
    return statusOf(example, operation) === status && value ? [[name, { summary: example.summary, value }]] : [];
  });
  const type = 'contentType' in answer && status === answer.status ? answer.contentType : 'application/json';
  return {
    content: { [type]: { schema, ...(examples.length > 0 && { examples: Object.fromEntries(examples) }) } },
  };
};

/** Returns the response with one status, and the errors that have it. */
export const describeErrors = (status: number, errors: readonly ErrorCase[], operation?: Operation): Json => ({
  description: errors.map(sentenceOf).join('\n'),
  headers: {
    'Content-Version': { $ref: '#/components/headers/Content-Version' },
    ...([429, 503].includes(status) && { 'Retry-After': { $ref: '#/components/headers/Retry-After' } }),
  },
  ...(operation?.failure ? pageContent(status) : content(status, { $ref: '#/components/schemas/Errors' }, operation)),
  'x-errors': errors.map(({ status: _, ...error }) => error),
});

const sentenceOf = ({ type, code, property, when }: ErrorCase): string => {
  const names = [type, code && `code \`${code}\``, property && `property \`${property}\``]
    .filter((part) => part !== undefined)
    .map((part, position) => (position === 0 && type !== undefined ? `\`${part}\`` : part));
  return `- ${names.join(', ')}${names.length > 0 ? ': ' : ''}${when}.`;
};

/** Errors of the gateway itself are in the envelope, even for pages. */
const pageContent = (status: number): Json => ({
  content: {
    'text/html': { schema: { type: 'string' } },
    ...(status >= 429 && { 'application/json': { schema: { $ref: '#/components/schemas/Errors' } } }),
  },
});
