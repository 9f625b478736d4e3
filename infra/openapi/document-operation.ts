/** One endpoint in the OpenAPI document: its parameters, body, responses and errors. */

import type * as v from 'valibot';
import type { EndpointLine } from '../../shared/contract.ts';
import { defaultBodyLimit } from '../../shared/http/body.ts';
import { errorResponse } from '../../shared/http/envelope.ts';
import { componentName } from './components.ts';
import { errorsOf, isCommon } from './errors.ts';
import { type Json, plainSchema } from './json-schema.ts';
import type { Answer, ErrorCase, Example, Operation, RequestBody } from './operation.ts';

/** Returns the operation of an endpoint, with the errors of its line in the contract and its own. */
export const operationOf = (line: EndpointLine, operation: Operation): Json => ({
  operationId: line.function.replace(/[/-](\w)/g, (_match, letter: string) => letter.toUpperCase()),
  tags: [operation.resource],
  summary: operation.summary,
  ...(operation.description && { description: operation.description }),
  security: isOpen(line) ? [] : [{ AdminApiKey: [] }, { Session: [] }],
  parameters: [
    ...[...line.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => pathParameter(name, operation)),
    ...Object.entries(operation.query ?? {}).map(([name, { schema, description, required }]) => ({
      name,
      in: 'query',
      ...(required && { required }),
      description,
      schema: plainSchema(schema),
    })),
    ...Object.entries(operation.headers ?? {}).map(([name, description]) => ({
      name,
      in: 'header',
      required: true,
      description,
      schema: { type: 'string' },
    })),
    { $ref: '#/components/parameters/Accept-Version' },
  ],
  ...(operation.body && { requestBody: requestBody(line, operation, operation.body) }),
  responses: responses(line, operation),
  'x-function': line.function,
  'x-callers': line.callers,
  'x-examples': Object.fromEntries(
    Object.entries(operation.examples).map(([name, example]) => {
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
  token: 'The token at the end of the link in the mail.',
  file: 'The name of the file.',
};

const pathParameter = (name: string, operation: Operation): Json => {
  const example = Object.values(operation.examples).find(({ path }) => path?.[name] !== undefined)?.path?.[name];
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

const requestBody = (line: EndpointLine, operation: Operation, body: RequestBody): Json => {
  const limit = line.bodyLimit ?? defaultBodyLimit;
  const bodies = Object.entries(operation.examples).filter(([, example]) => example.body !== undefined);
  const examples = Object.fromEntries(
    bodies.map(([name, example]) => [name, { summary: example.summary, value: bodyOf(operation, example) }]),
  );
  const common = { required: true, 'x-body-limit-bytes': limit };
  if ('form' in body)
    return {
      ...common,
      description: `The form of the page, at most ${limit / 1024} KiB.`,
      content: { 'application/x-www-form-urlencoded': { schema: plainSchema(body.form), examples } },
    };
  if ('json' in body)
    return {
      ...common,
      description: `At most ${limit / 1024} KiB, as JSON in UTF-8.`,
      content: { 'application/json': { schema: plainSchema(body.json), examples } },
    };
  const { root, item, max, isOptional } = body;
  return {
    ...common,
    required: !isOptional,
    description: `${max === 1 ? 'One item' : `1 to ${max} items`}, at most ${limit / 1024} KiB, as JSON in UTF-8.`,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: { [root]: { ...itemsOf(item), minItems: 1, maxItems: max } },
          ...(!isOptional && { required: [root] }),
        },
        examples,
      },
    },
  };
};

const referenceTo = (item: v.GenericSchema): Json => ({ $ref: `#/components/schemas/${componentName(item)}` });

/** Returns what an example sends: its items below the root key, or its form. */
export const bodyOf = ({ body }: Operation, { body: sent }: Example): object | string | undefined =>
  sent !== undefined && body !== undefined && 'root' in body ? { [body.root]: sent } : sent;

/** The items of a request. Every endpoint refuses an empty list, because it is a client's mistake (docs/compatibility.md, "Errors"). */
const itemsOf = (item: v.GenericSchema): Json => ({ type: 'array', items: { ...referenceTo(item), minProperties: 1 } });

const listOf = (item: v.GenericSchema): Json => ({ type: 'array', items: referenceTo(item) });

const responses = (line: EndpointLine, operation: Operation): Json => {
  const errors = errorsOf(line, operation);
  const statuses = [...new Set(errors.map(({ status }) => status))].sort((a, b) => a - b);
  return {
    [operation.answer.status]: {
      ...success(operation.answer),
      ...content(operation.answer.status, successSchema(operation.answer), operation),
    },
    ...Object.fromEntries(
      statuses.map((status) => [
        status,
        isCommon(status) && !operation.failsWithPages
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

const success = (answer: Answer): Json => ({
  description: describe(answer),
  headers: {
    'Content-Version': { $ref: '#/components/headers/Content-Version' },
    ...('location' in answer &&
      answer.location !== undefined && {
        Location: { description: answer.location, schema: { type: 'string', format: 'uri' } },
      }),
  },
});

const describe = (answer: Answer): string => {
  if ('what' in answer) return answer.what;
  const texts = {
    200: 'Success.',
    201: 'Created.',
    202: 'Accepted.',
    204: 'Success, without a body.',
    303: 'Success: `Location` leads to the next page.',
  };
  return texts[answer.status];
};

const successSchema = (answer: Answer): Json | undefined => {
  if ('what' in answer) return { type: answer.contentType === 'application/json' ? 'object' : 'string' };
  if (!('root' in answer)) return undefined;
  const meta = {
    type: 'object',
    properties: { pagination: { $ref: '#/components/schemas/Pagination' } },
    required: ['pagination'],
  };
  return {
    type: 'object',
    properties: {
      [answer.root]: answer.isSingle ? referenceTo(answer.item) : listOf(answer.item),
      ...(answer.pages && { meta }),
    },
    required: [answer.root, ...(answer.pages === 'always' ? ['meta'] : [])],
  };
};

const answerOf = ({ answer }: Operation, { answer: items, pagination }: Example): object | undefined =>
  items && 'root' in answer ? { [answer.root]: items, ...(pagination && { meta: { pagination } }) } : items;

/** The placeholder for ids of errors. */
const errorId = '5f0c7f4e-6d0b-4a39-9f43-0d7b3f1f5b11';

/** Returns the body of a response, with the examples that receive it. */
const content = (status: number, schema: Json | undefined, operation?: Operation): Json => {
  if (operation === undefined || schema === undefined)
    return schema ? { content: { 'application/json': { schema } } } : {};
  const { answer } = operation;
  const examples = Object.entries(operation.examples).flatMap(([name, example]) => {
    const value = example.error ? errorResponse(example.error, errorId).body : answerOf(operation, example);
    return statusOf(example, operation) === status && value ? [[name, { summary: example.summary, value }]] : [];
  });
  const type = 'what' in answer && status === answer.status ? answer.contentType : 'application/json';
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
  ...(operation?.failsWithPages
    ? pageContent(status)
    : content(status, { $ref: '#/components/schemas/Errors' }, operation)),
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
