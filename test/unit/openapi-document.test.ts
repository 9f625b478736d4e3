/** The OpenAPI document: complete, valid and committed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../infra/openapi/document.ts';
import { componentSchemas, properties } from '../../infra/openapi/json-schema.ts';
import { endpointLines } from '../../shared/contract.ts';
import { documentedOperation } from '../support/openapi.ts';

const endpoints = endpointLines();

describe('the OpenAPI document', () => {
  it('is up to date; after a change, run `npm run openapi`', () => {
    const committed = readFileSync(join(import.meta.dirname, '../../docs/openapi.json'), 'utf8');
    expect(JSON.parse(committed)).toEqual(openApiDocument());
  });

  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const result = await validator.validate(openApiDocument());
    expect(result.errors).toBeUndefined();
    expect(result.valid).toBe(true);
    expect(validator.version).toBe('3.1');
  });

  it('gives every operation its own id', () => {
    const ids = endpoints.map((line) => documentedOperation(line.function as never).operationId);
    expect(new Set(ids).size).toBe(endpoints.length);
  });

  it.each(endpoints.map((line) => [line.function, line] as const))(
    'documents the callers and errors of %s, with a successful example',
    (name, line) => {
      const operation = documentedOperation(name as never);
      expect(operation.security).toEqual(line.callers.includes('anyone') ? [] : [{ AdminApiKey: [] }, { Session: [] }]);
      const statuses = Object.keys(operation.responses);
      expect(statuses).toEqual(expect.arrayContaining(['429', '500', '503']));
      if (!line.callers.includes('anyone')) expect(statuses).toEqual(expect.arrayContaining(['400', '401', '403']));
      if (line.method !== 'GET') expect(statuses).toEqual(expect.arrayContaining(['400', '413', '415']));
      if (/\{id\}/.test(line.path)) expect(statuses).toEqual(expect.arrayContaining(['404', '422']));
      expect(Object.values(operation['x-examples']).some(({ status }) => status < 400)).toBe(true);
    },
  );

  it('describes every field of every schema', () => {
    const mute = Object.entries(componentSchemas()).flatMap(([name, schema]) =>
      Object.entries(properties(schema)).flatMap(([field, { description, $ref }]) =>
        description === undefined && $ref === undefined ? [`${name}.${field}`] : [],
      ),
    );
    expect(mute).toEqual([]);
  });
});
