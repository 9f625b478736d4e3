/** What the OpenAPI document says of an endpoint beside what its line of the contract says already. */
import type * as v from 'valibot';

type Schema = v.GenericSchema;

/** One way in which a request fails, a row of the wire contract's error table. */
export interface ErrorCase {
  readonly status: number;
  /** Left out where the answer is a page. */
  readonly type?: string;
  readonly code?: string;
  readonly property?: string;
  /** When it happens; a sentence without its end. */
  readonly when: string;
}

/** A request and its answer; a test sends it and compares. Ids, times and secrets in it stand for any others. */
export interface Example {
  readonly summary: string;
  readonly caller: 'Owner' | 'integration' | 'anyone';
  /** Values of the parameters in the path. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** An object as JSON, a text as the form that it is. */
  readonly body?: object | string;
  readonly status: number;
  /** Left out where the answer is empty or a page. */
  readonly answer?: object;
}

export interface QueryParameter {
  readonly schema: Schema;
  /** A sentence. */
  readonly description: string;
}

/** What a request's body holds: `{"<root>": [<item>, …]}`, or the fields of a page's form. */
export type RequestBody =
  | {
      readonly root: string;
      /** One of `components.ts`. */
      readonly item: Schema;
      readonly max: number;
    }
  | { readonly form: Schema };

/** What the answer of a request that succeeded holds. */
export type Answer =
  | {
      readonly status: 200 | 201 | 202;
      readonly root: string;
      /** One of `components.ts`. */
      readonly item: Schema;
      /** Whether `meta.pagination` leads to a next page. */
      readonly pages?: 'always' | 'sometimes';
      /** When the answer says in `Location` where it is. */
      readonly location?: string;
    }
  | { readonly status: 204 }
  | { readonly status: 200; readonly contentType: string; readonly what: string };

export interface Operation {
  /** Groups operations: the plural noun. */
  readonly resource: string;
  /** What it does, in a few words. */
  readonly summary: string;
  /** What else one should know; sentences. */
  readonly description?: string;
  readonly query?: Readonly<Record<string, QueryParameter>>;
  readonly body?: RequestBody;
  readonly answer: Answer;
  /** Its errors are pages, too. */
  readonly failsWithPages?: true;
  /** Errors beside those that every endpoint with its callers, path and body has; see `errors.ts`. */
  readonly errors?: readonly ErrorCase[];
  /** By a short name in kebab-case. They are sent in their order, after those of the operations that stand before. */
  readonly examples: Readonly<Record<string, Example>>;
}
