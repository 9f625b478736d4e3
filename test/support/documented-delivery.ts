/** Compares bodies of deliveries with the schemas of their events in the OpenAPI document. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import committed from '../../docs/openapi.json' with { type: 'json' };
import { closed } from './openapi.ts';

interface DocumentedEvent {
  readonly post: {
    readonly requestBody: {
      readonly content: { readonly 'application/json': { readonly schema: object; readonly example: unknown } };
    };
  };
}

const document = committed as unknown as {
  readonly webhooks: Readonly<Record<string, DocumentedEvent>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
};

export const documentedEvents: readonly string[] = Object.keys(document.webhooks);

const contentOf = (event: string) => {
  const content = document.webhooks[event]?.post.requestBody.content['application/json'];
  if (content === undefined) throw new Error(`The OpenAPI document has no event ${event}.`);
  return content;
};

/** Returns the example of an event in the document. */
export const documentedBody = (event: string): unknown => contentOf(event).example;

/** Returns a validator of all events; with `change`, of changed schemas. */
const validator = (change: (schema: unknown) => unknown) => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema({ $id: 'masthead', components: { schemas: change(document.components.schemas) } });
  const compiled = new Map<string, ValidateFunction>();
  return (event: string, body: unknown): string[] => {
    const text = JSON.stringify(change(contentOf(event).schema)).replaceAll('"#/', '"masthead#/');
    const validate = compiled.get(event) ?? ajv.compile(JSON.parse(text));
    compiled.set(event, validate);
    if (validate(body)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${event} ${instancePath} ${message}`);
  };
};

/** Returns how a body violates its event's schema. Fields that the document does not have are allowed. */
export const violations = validator((schema) => schema);

/** Returns how a body of the current version differs from the document, undocumented fields included. */
export const differences = validator(closed);

/** Parses a delivery of the current version. @throws AssertionError if the body differs from the document */
export const documentedBodyOf = (text: string) => {
  const body = JSON.parse(text);
  expect(differences(body.event, body)).toEqual([]);
  return body;
};
