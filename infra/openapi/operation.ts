/** The texts of an endpoint in the OpenAPI document, in addition to its line in the contract. */
import type * as v from 'valibot';
import type { MastheadError } from '../../shared/foundation/errors.ts';

type Schema = v.GenericSchema;

/** One way in which a request fails. */
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
  /** The path parameters. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** The inbound secret with which the request is signed as Ghost does. */
  readonly ghostSecret?: string;
  /** The items, or another JSON object, which are sent as JSON; or a form. */
  readonly body?: readonly object[] | object | string;
  /** The items of the response, or the one item of a single one. Absent if the response is an error, empty or a page. */
  readonly answer?: object;
  /** `meta.pagination` of the response. */
  readonly pagination?: object;
  /** The error that the request receives in the envelope. */
  readonly error?: MastheadError;
  /** The status of an error that is a page. */
  readonly status?: number;
}

export interface QueryParameter {
  readonly schema: Schema;
  /** A sentence. */
  readonly description: string;
  readonly required?: true;
  /** When a value is refused (422), without a full stop. */
  readonly invalid?: string;
}

/** The body of a request: `{"<root>": [<item>, …]}`, another JSON object, or the form of a page. */
export type RequestBody =
  | {
      readonly root: string;
      /** A component of `components.ts`. */
      readonly item: Schema;
      readonly max: number;
      /** Whether the endpoint works without a body, too. */
      readonly isOptional?: true;
    }
  | { readonly json: Schema }
  | { readonly form: Schema };

/** The body of a successful response. */
export type Answer =
  | {
      readonly status: 200 | 201 | 202;
      readonly root: string;
      /** A component of `components.ts`. */
      readonly item: Schema;
      /** Whether the root key holds the object itself instead of an array, as Ghost has it for `site` and `config`. */
      readonly isSingle?: true;
      /** Whether the response has `meta.pagination`. */
      readonly pages?: 'always' | 'sometimes';
      /** The description of the header `Location`, if the response has it. */
      readonly location?: string;
    }
  | { readonly status: 204 | 303 }
  | { readonly status: 200; readonly contentType: string; readonly what: string };

/** What is written for an endpoint. */
export interface OperationTexts {
  /** What it does, in the imperative. */
  readonly summary: string;
  /** Further sentences. */
  readonly description?: string;
  readonly query?: Readonly<Record<string, QueryParameter>>;
  /** Headers that it reads, with their descriptions. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: RequestBody;
  readonly answer: Answer;
  /** Whether `me` as the id in the path is the staff member who calls. */
  readonly knowsMe?: true;
  /** Whether its errors are pages. */
  readonly failsWithPages?: true;
  /** Errors in addition to the common ones in `errors.ts`. */
  readonly errors?: readonly ErrorCase[];
  /** By a short name in kebab-case. A test sends them in this order. */
  readonly examples: Readonly<Record<string, Example>>;
}

export interface Operation extends OperationTexts {
  /** The group of the operation: a plural noun. */
  readonly resource: string;
}
