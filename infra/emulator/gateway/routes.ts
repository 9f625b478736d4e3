/** Reads the routes of the REST API from the template's resources and methods, and finds the route of a request. */
import * as v from 'valibot';
import { type Resource, TemplateError } from '../cloudformation.ts';

export interface Route {
  /** As API Gateway passes it to functions, such as `/ghost/api/admin/webhooks/{id}`. */
  readonly resource: string;
  readonly functionName: string;
}

export interface Match extends Route {
  /** Decoded; null if the route has none. */
  readonly pathParameters: Readonly<Record<string, string>> | null;
}

export interface GatewayResponse {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON body, with `$context` variables. */
  readonly template: string | undefined;
}

export interface RouteTable {
  /** The name of the API's stage. */
  readonly stage: string;
  /** Returns the route of a request; undefined if the API has no such resource or method. */
  find(method: string, path: string): Match | undefined;
  /** The template's settings for responses of the gateway itself, by response type. */
  readonly responses: ReadonlyMap<string, GatewayResponse>;
  /** The minimum bytes of a body that is compressed; absent if none is. */
  readonly minimumCompressionSize?: number;
}

interface Node {
  readonly resource: string;
  readonly children: Map<string, Node>;
  readonly methods: Map<string, string>;
  /** The child that matches any segment, and the one that matches all segments that follow, with the names of their parameters. */
  single?: readonly [name: string, Node];
  rest?: readonly [name: string, Node];
}

const resourceSchema = v.object({ ParentId: v.string(), PathPart: v.string() });

const methodSchema = v.object({
  HttpMethod: v.string(),
  ResourceId: v.string(),
  AuthorizationType: v.literal('NONE'),
  Integration: v.object({ Type: v.literal('AWS_PROXY'), Uri: v.string() }),
});

const apiSchema = v.object({
  BinaryMediaTypes: v.optional(v.pipe(v.array(v.string()), v.maxLength(0)), []),
  MinimumCompressionSize: v.optional(v.number()),
});

const stageSchema = v.object({ StageName: v.string() });

const responseSchema = v.object({
  ResponseType: v.string(),
  StatusCode: v.optional(v.string()),
  ResponseParameters: v.optional(v.record(v.string(), v.string()), {}),
  ResponseTemplates: v.optional(v.record(v.string(), v.string()), {}),
});

/** Reads the one REST API of the templates. @throws TemplateError if the integration of a method is not a function. */
export const readRoutes = (resources: readonly Resource[]): RouteTable => {
  const ofType = (type: string) => resources.filter((resource) => resource.type === `AWS::ApiGateway::${type}`);
  const nodes = new Map<string, Node>();
  const add = (id: string, resource: string) => {
    const node: Node = { resource, children: new Map(), methods: new Map() };
    nodes.set(id, node);
    return node;
  };
  const [api] = ofType('RestApi');
  const minimumCompressionSize = api && v.parse(apiSchema, api.properties).MinimumCompressionSize;
  const root = add(`${api?.id}.root`, '');
  const waiting = ofType('Resource').map(({ id, properties }) => ({ id, ...v.parse(resourceSchema, properties) }));
  while (waiting.length > 0) {
    const ready = waiting.findIndex(({ ParentId }) => nodes.has(ParentId));
    const [next] = waiting.splice(ready === -1 ? waiting.length : ready, 1);
    const parent = nodes.get(next?.ParentId ?? '');
    if (next === undefined || parent === undefined) throw new TemplateError('the API has a resource without a parent');
    const child = add(next.id, `${parent.resource}/${next.PathPart}`);
    parent.children.set(next.PathPart, child);
    if (next.PathPart.endsWith('+}')) parent.rest = [next.PathPart.slice(1, -2), child];
    else if (/^\{.+\}$/.test(next.PathPart)) parent.single = [next.PathPart.slice(1, -1), child];
  }
  for (const { id, properties } of ofType('Method')) {
    const method = v.parse(methodSchema, properties);
    const functionName = /:function:([^:/]+)/.exec(method.Integration.Uri)?.[1];
    const node = nodes.get(method.ResourceId);
    if (functionName === undefined || node === undefined)
      throw new TemplateError(`the method ${id} has no function or no resource`);
    node.methods.set(method.HttpMethod, functionName);
  }
  const [stage] = ofType('Stage').map(({ properties }) => v.parse(stageSchema, properties).StageName);
  return {
    stage: stage ?? '',
    find: (method, path) => find(root, method, path),
    responses: new Map(ofType('GatewayResponse').map(({ properties }) => readResponse(properties))),
    ...(minimumCompressionSize !== undefined && { minimumCompressionSize }),
  };
};

const readResponse = (properties: unknown): [string, GatewayResponse] => {
  const parsed = v.parse(responseSchema, properties);
  // `gatewayresponse.header.Name: "'value'"` is a header with a constant value.
  const headers = Object.entries(parsed.ResponseParameters).map(([name, value]) => [
    name.replace(/^gatewayresponse\.header\./, ''),
    value.replace(/^'(.*)'$/, '$1'),
  ]);
  return [
    parsed.ResponseType,
    {
      status: parsed.StatusCode === undefined ? undefined : Number(parsed.StatusCode),
      headers: Object.fromEntries(headers),
      template: parsed.ResponseTemplates['application/json'],
    },
  ];
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
