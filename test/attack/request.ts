/** Valid requests to any endpoint: the document's first successful example, with the attack's ids and addresses. */
import type { EndpointLine, FunctionName } from '../../shared/contract.ts';
import { documentedOperation } from '../support/openapi.ts';

export type Send = (request: AttackRequest) => Promise<AttackAnswer>;

export interface AttackRequest {
  readonly line: EndpointLine;
  /** Below the base URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The source address, where the place can choose it. */
  readonly sourceIp?: string;
}

export interface AttackAnswer {
  readonly status: number;
  readonly text: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: tests assert the content of a body
  readonly body: any;
}

/** The replacements of the document's ids, addresses and times, by the name of a field or parameter. */
export type Values = Readonly<Record<string, string>>;

/** Returns a request that succeeds if the caller may send it. */
export const requestFor = (
  line: EndpointLine,
  values: Values,
  credentials: AttackRequest['headers'] = {},
): AttackRequest => {
  const operation = documentedOperation(line.function as FunctionName);
  const [name, example] =
    Object.entries(operation['x-examples']).find(([, { status }]) => status < 400) ?? missing(line.function);
  const path = line.path.replace(/\{(\w+)\}/g, (_whole, parameter: string) =>
    encodeURIComponent(values[parameter] ?? example.path?.[parameter] ?? ''),
  );
  const query = new URLSearchParams(replaced(example.query ?? {}, values) as Record<string, string>);
  const [[type, media] = []] = Object.entries(operation.requestBody?.content ?? {});
  const body = media?.examples?.[name]?.value;
  return {
    line,
    path: query.size === 0 ? path : `${path}?${query}`,
    headers: {
      ...credentials,
      ...(type !== undefined && { 'Content-Type': type }),
      // Only the form of an own page signs in.
      ...(type === 'application/x-www-form-urlencoded' && { 'Sec-Fetch-Site': 'same-origin' }),
    },
    ...(body !== undefined && {
      body:
        typeof body === 'string'
          ? body
          : JSON.stringify(replaced(line.function === 'events/publish' ? withoutIds(body) : body, values)),
    }),
  };
};

const missing = (name: string): never => {
  throw new Error(`The OpenAPI document has no successful example of ${name}.`);
};

/** The ids of events are chosen by the publisher, and a known one is not published again. */
const withoutIds = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body, (key, value) => (key === 'id' ? undefined : value)));

/** Replaces the values of these fields wherever they occur; several items keep one, so that no address occurs twice. */
const replaced = (value: unknown, values: Values): unknown => {
  if (Array.isArray(value)) return value.slice(0, 1).map((item) => replaced(item, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, values[key] ?? replaced(inner, values)]));
};
