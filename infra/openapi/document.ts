/** Generates the OpenAPI 3.1 document from the contract, the schemas and the texts of the functions. */
import { readFileSync } from 'node:fs';
import { endpointLines } from '../../shared/contract.ts';
import { currentApiVersion } from '../../shared/foundation/api-version.ts';
import { cookieName } from '../../shared/http/cookie.ts';
import { tags } from '../../shared/http/documentation.ts';
import { describeErrors, operationOf } from './document-operation.ts';
import { commonErrors } from './errors.ts';
import { deliveries, deliveryParameters, receivingTag } from './event-webhooks.ts';
import { componentSchemas, type Json } from './json-schema.ts';
import { operations } from './operations.ts';

const introduction = readFileSync(new URL('introduction.md', import.meta.url), 'utf8').trimEnd();

/** `docs/receiving.md` without its title and without links to files, which the documentation page does not serve. */
const receivingGuide = readFileSync(new URL('../../docs/receiving.md', import.meta.url), 'utf8')
  .replace(/^# .*\n/, '')
  .replaceAll(/\[([^\]]+)\]\((?!https:)[^)]*\)/g, '$1');

const endpoints = endpointLines();

/** Returns the document as plain JSON. @throws if a schema of an operation is not a component */
export const openApiDocument = (): Json => {
  const { paths, responses } = withSharedErrors(pathsOf());
  return {
    openapi: '3.1.1',
    info: { title: 'Masthead', version: currentApiVersion.slice(1), description: introduction },
    servers: [
      { url: 'https://example.com/ghost/api', description: 'Each stage serves this document with its own URL.' },
    ],
    tags: [...tags.map((name) => ({ name })), { name: receivingTag, description: receivingGuide }],
    paths,
    webhooks: deliveries,
    components: {
      schemas: componentSchemas(),
      responses: {
        ...responses,
        ...Object.fromEntries(
          [...new Set(commonErrors.map(({ status }) => status))].map((status) => [
            `Error${status}`,
            describeErrors(
              status,
              commonErrors.filter((error) => error.status === status),
            ),
          ]),
        ),
      },
      headers: {
        'Content-Version': {
          description: 'The version of the API.',
          schema: { type: 'string', examples: [currentApiVersion] },
        },
        'Retry-After': {
          description: 'Seconds after which the same request may succeed.',
          schema: { type: 'integer', minimum: 1 },
        },
      },
      parameters: {
        'Accept-Version': {
          name: 'Accept-Version',
          in: 'header',
          description: 'The version of the API that the client was written for. Optional.',
          schema: { type: 'string', examples: ['v6.0'] },
        },
        ...deliveryParameters,
      },
      securitySchemes: {
        AdminApiKey: {
          type: 'http',
          scheme: 'Ghost',
          description:
            '`Authorization: Ghost <token>`, a JSON Web Token signed with an Admin API key; see the introduction.',
        },
        Session: {
          type: 'apiKey',
          in: 'cookie',
          name: cookieName,
          description:
            'The cookie that `PUT /admin/session/` sets, for pages of the same origin: ' +
            'a change needs the header `Origin` of the API. `Authorization` takes precedence.',
        },
      },
    },
  };
};

type Responses = Record<string, Json>;

/** Moves shared errors to the components: an endpoint serves the document, and they were a sixth of it. */
const withSharedErrors = (paths: Json): { readonly paths: Json; readonly responses: Responses } => {
  const operations = Object.values(paths).flatMap((path) =>
    Object.values(path as Record<string, { responses: Responses }>),
  );
  const errors = operations.flatMap(({ responses }) => Object.entries(responses).filter(([status]) => status >= '400'));
  const names = new Map<string, string>();
  const responses: Responses = {};
  for (const [json, same] of Map.groupBy(errors, ([, error]) => JSON.stringify(error))) {
    const [[status = '', error] = []] = same;
    if (same.length === 1 || error === undefined || '$ref' in error) continue;
    const others = Object.keys(responses).filter((other) => other.startsWith(`Error${status}`));
    const name = `Error${status}-${others.length + 1}`;
    names.set(json, name);
    responses[name] = error;
  }
  for (const operation of operations)
    for (const [status, error] of Object.entries(operation.responses)) {
      const name = names.get(JSON.stringify(error));
      if (name !== undefined) operation.responses[status] = { $ref: `#/components/responses/${name}` };
    }
  return { paths, responses };
};

const pathsOf = (): Json => {
  const found: Record<string, Json> = {};
  for (const line of endpoints) {
    const operation = operations.get(line.function);
    if (operation === undefined) continue;
    found[line.path] = { ...found[line.path], [line.method.toLowerCase()]: operationOf(line, operation) };
  }
  return found;
};
