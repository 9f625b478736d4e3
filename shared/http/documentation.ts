/** What the OpenAPI document says about an endpoint. Only the generator calls it, so that bundles lack it. */
import type * as v from 'valibot';
import type { MastheadError } from '../foundation/errors.ts';

/** The groups of endpoints, in the order of the document. */
export const tags = [
  'Integrations',
  'Webhooks',
  'Roles',
  'Invites',
  'Acceptance',
  'Staff',
  'Sessions',
  'Audit',
  'Events',
  'Deliveries',
  'Statistics',
  'Site',
  'Documentation',
  'Console',
] as const;

export interface ErrorCase {
  readonly status: number;
  /** Absent if the response is a page. */
  readonly type?: string;
  readonly code?: string;
  readonly property?: string;
  /** The condition of the failure, without a full stop. */
  readonly when: string;
}

/** A request and its response; a test sends it and compares. Ids, times and secrets are placeholders. */
export interface Example {
  readonly summary: string;
  /** Default: anyone who may call without a key, else the Owner. `session`: the newest session of the examples. */
  readonly caller?: 'Owner' | 'integration' | 'session';
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** The inbound secret with which the request is signed as Ghost does. */
  readonly ghostSecret?: string;
  /** The items, or another JSON object, which are sent as JSON; or a form. */
  readonly body?: readonly object[] | object | string;
  /** The items of the response, or its one item. Absent if the response is an error, empty or a page. */
  readonly answer?: object;
  readonly pagination?: object;
  readonly meta?: object;
  readonly error?: MastheadError;
  /** The status of an error that is a page. */
  readonly status?: number;
}

export interface Documentation {
  readonly tag: (typeof tags)[number];
  /** What the endpoint does, in the imperative. */
  readonly summary: string;
  readonly description?: string;
  /** What the response is, for pages and files. */
  readonly what?: string;
  /** The description of the header `Location`, if the response has it. */
  readonly location?: string;
  /** Headers that it reads, with their descriptions. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A body that is no list of items. */
  readonly body?: { readonly json: v.GenericSchema } | { readonly form: v.GenericSchema };
  /** Errors in addition to those that follow from the contract and the declaration (`infra/openapi/errors.ts`). */
  readonly errors?: readonly ErrorCase[];
  /** By a short name in kebab-case. A test sends them in the order of tags and of the contract, deletions last. */
  readonly examples: Readonly<Record<string, Example>>;
}

const statuses = {
  BadRequestError: 400,
  UnauthorizedError: 401,
  NoPermissionError: 403,
  NotFoundError: 404,
  ConflictError: 409,
  RequestEntityTooLargeError: 413,
  UnsupportedMediaTypeError: 415,
  ValidationError: 422,
  TooManyRequestsError: 429,
  InternalServerError: 500,
  ServiceUnavailableError: 503,
} as const;

/** Returns the case of an error with this type; `when` is its condition, without a full stop. */
export const failure = (
  type: keyof typeof statuses,
  when: string,
  more: Pick<ErrorCase, 'code' | 'property'> = {},
): ErrorCase => ({ status: statuses[type], type, ...more, when });

/** Returns a 422 for one field. */
export const invalid = (property: string, when: string): ErrorCase => failure('ValidationError', when, { property });
export const notFound = (when: string): ErrorCase => failure('NotFoundError', when);
export const forbidden = (when: string): ErrorCase => failure('NoPermissionError', when);
