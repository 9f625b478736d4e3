/** Reads the routes of the REST API from the OpenAPI document in its template, and finds the route of a request. */
import * as v from 'valibot';
import type { Resource } from '../cloudformation.ts';

export interface Route {
  /** As API Gateway passes it to functions, such as `/ghost/api/admin/webhooks/{id}`. */
  readonly resource: string;
  readonly functionName: string;
}

export interface Match extends Route {
  readonly pathParameters: Readonly<Record<string, string>> | null;
}

export interface GatewayResponse {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON body, with `$context` variables. */
  readonly template: string | undefined;
}

export interface RouteTable {
  readonly stage: string;
  /** Returns the route of a request; undefined if the API has no such resource or method. */
  find(method: string, path: string): Match | undefined;
  readonly responses: ReadonlyMap<string, GatewayResponse>;
  /** The minimum bytes of a body that is compressed; absent if none is. */
  readonly minimumCompressionSize?: number;
}

interface Node {
  readonly resource: string;
  readonly children: Map<string, Node>;
  readonly methods: Map<string, string>;
  /** The child for any one segment, and the child for all segments that follow, each with its parameter's name. */
  single?: readonly [name: string, Node];
  rest?: readonly [name: string, Node];
}

const integrationKey = 'x-amazon-apigateway-integration';
const anyMethodKey = 'x-amazon-apigateway-any-method';
const responsesKey = 'x-amazon-apigateway-gateway-responses';

const operationSchema = v.object({
  // Only a method that requires AWS credentials would have a value here.
  security: v.optional(v.pipe(v.array(v.unknown()), v.maxLength(0)), []),
  [integrationKey]: v.object({
    type: v.literal('aws_proxy'),
    uri: v.pipe(v.string(), v.regex(/:function:[^:/]+/, 'must be of a function')),
  }),
});

const responseSchema = v.object({
  statusCode: v.optional(v.string()),
  responseParameters: v.optional(v.record(v.string(), v.string()), {}),
  responseTemplates: v.optional(v.record(v.string(), v.string()), {}),
});

const apiSchema = v.object({
  Body: v.object({
    paths: v.record(v.string(), v.record(v.string(), operationSchema)),
    [responsesKey]: v.optional(v.record(v.string(), responseSchema), {}),
  }),
  BinaryMediaTypes: v.optional(v.pipe(v.array(v.string()), v.maxLength(0)), []),
  MinimumCompressionSize: v.optional(v.number()),
});

const stageSchema = v.object({ StageName: v.string() });

/** Reads the only REST API of the templates. @throws valibot's error if a method leads to anything but a function */
export const readRoutes = (resources: readonly Resource[]): RouteTable => {
  const ofType = (type: string) => resources.filter((resource) => resource.type === `AWS::ApiGateway::${type}`);
  const root: Node = { resource: '', children: new Map(), methods: new Map() };
  const [api] = ofType('RestApi').map(({ properties }) => v.parse(apiSchema, properties));
  const [stage] = ofType('Stage').map(({ properties }) => v.parse(stageSchema, properties).StageName);
  for (const [path, operations] of Object.entries(api?.Body.paths ?? {})) {
    const node = nodeAt(root, path.split('/').filter(Boolean));
    for (const [method, operation] of Object.entries(operations)) {
      const [, functionName = ''] = /:function:([^:/]+)/.exec(operation[integrationKey].uri) ?? [];
      node.methods.set(method === anyMethodKey ? 'ANY' : method.toUpperCase(), functionName);
    }
  }
  return {
    stage: stage ?? '',
    find: (method, path) => find(root, method, path),
    responses: new Map(
      Object.entries(api?.Body[responsesKey] ?? {}).map(([type, response]) => [type, readResponse(response)]),
    ),
    ...(api?.MinimumCompressionSize !== undefined && { minimumCompressionSize: api.MinimumCompressionSize }),
  };
};

const nodeAt = (node: Node, [part, ...rest]: readonly string[]): Node => {
  if (part === undefined) return node;
  let child = node.children.get(part);
  if (child === undefined) {
    child = { resource: `${node.resource}/${part}`, children: new Map(), methods: new Map() };
    node.children.set(part, child);
    if (part.endsWith('+}')) node.rest = [part.slice(1, -2), child];
    else if (/^\{.+\}$/.test(part)) node.single = [part.slice(1, -1), child];
  }
  return nodeAt(child, rest);
};

const readResponse = (parsed: v.InferOutput<typeof responseSchema>): GatewayResponse => {
  // `gatewayresponse.header.Name: "'value'"` is a header with a constant value.
  const headers = Object.entries(parsed.responseParameters).map(([name, value]) => [
    name.replace(/^gatewayresponse\.header\./, ''),
    value.replace(/^'(.*)'$/, '$1'),
  ]);
  return {
    status: parsed.statusCode === undefined ? undefined : Number(parsed.statusCode),
    headers: Object.fromEntries(headers),
    template: parsed.responseTemplates['application/json'],
  };
};

const find = (root: Node, method: string, path: string): Match | undefined => {
  const segments = path.split('/').slice(1);
  // API Gateway ignores one trailing slash.
  if (segments.at(-1) === '') segments.pop();
  let node = root;
  let greedy: Match | undefined;
  const parameters: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const { rest, single } = node;
    if (rest !== undefined) {
      const value = decode(segments.slice(index).join('/'));
      greedy = match(rest[1], method, { ...parameters, [rest[0]]: value }) ?? greedy;
    }
    const next = node.children.get(segment) ?? single?.[1];
    if (next === undefined) return greedy;
    if (next === single?.[1]) parameters[single[0]] = decode(segment);
    node = next;
  }
  return match(node, method, parameters) ?? greedy;
};

const match = (node: Node, method: string, parameters: Readonly<Record<string, string>>): Match | undefined => {
  const functionName = node.methods.get(method) ?? node.methods.get('ANY');
  if (functionName === undefined) return undefined;
  const pathParameters = Object.keys(parameters).length === 0 ? null : parameters;
  return { resource: node.resource || '/', functionName, pathParameters };
};

/** Decodes a path; invalid percent-encoding stays as it is, so that a function can report it. */
const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
