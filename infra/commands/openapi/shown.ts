/** The parts of the OpenAPI document that the page shows, as types. */

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema | undefined>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

interface Content {
  readonly schema: Schema;
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown } | undefined>>;
}

export interface Parameter {
  readonly $ref?: string;
  readonly name?: string;
  readonly in?: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}

export interface ShownError {
  readonly type?: string;
  readonly code?: string;
  readonly property?: string;
  readonly when: string;
}

export interface Response {
  readonly $ref?: string;
  readonly description?: string;
  readonly headers?: Readonly<Record<string, { readonly description?: string } | undefined>>;
  readonly content?: Readonly<Record<string, Content | undefined>>;
  readonly 'x-errors'?: readonly ShownError[];
}

export interface ShownOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly description?: string;
    readonly content: Readonly<Record<string, Content | undefined>>;
  };
  readonly responses: Readonly<Record<string, Response | undefined>>;
  readonly 'x-callers'?: readonly string[];
  readonly 'x-examples'?: Readonly<
    Record<
      string,
      | {
          readonly summary: string;
          readonly caller: string;
          readonly status: number;
          readonly path?: Readonly<Record<string, string | undefined>>;
          readonly query?: Readonly<Record<string, string | undefined>>;
        }
      | undefined
    >
  >;
}

export type PathItem = Readonly<Record<string, ShownOperation | undefined>>;

export interface Document {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly webhooks: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Response | undefined>>;
  };
}

/** The name at the end of a reference. */
export const nameOf = (reference: string): string => reference.split('/').at(-1) ?? '';
