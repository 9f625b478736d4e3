/** Checks the error envelope of a response (docs/compatibility.md, "Errors"). */
import { expect } from 'vitest';
import type { TestResponse } from './parts.ts';

const nullOr = (value: unknown, type: string): unknown => {
  return value === null ? null : typeof value === type ? value : expect.any(String);
};

interface Refusal {
  readonly status: number;
  readonly type: string;
  readonly code?: string;
  readonly property?: string;
}

interface Detail {
  readonly index: number | null;
  readonly field: string;
  readonly rule: string;
  readonly limit: unknown;
  readonly received: string;
}

interface EnvelopeError {
  readonly message: string;
  readonly context: string | null;
  readonly help: string | null;
  readonly details: readonly Detail[] | null;
  readonly id: string;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Checks status, headers and all nine keys, and returns the error. */
export const expectRefusal = (response: Omit<TestResponse, 'text'>, refusal: Refusal): EnvelopeError => {
  expect(response.body?.errors, `an envelope with the status ${response.status}`).toHaveLength(1);
  const [error] = response.body.errors;
  expect({ ...error, status: response.status }).toEqual({
    status: refusal.status,
    message: expect.stringMatching(/\S.*[.?]$/s),
    context: nullOr(error.context, 'string'),
    type: refusal.type,
    details: error.details === null ? null : expect.any(Array),
    property: refusal.property ?? nullOr(error.property, 'string'),
    help: nullOr(error.help, 'string'),
    code: refusal.code ?? null,
    id: expect.stringMatching(uuid),
    ghostErrorCode: null,
  });
  expect(Object.keys(response.body)).toEqual(['errors']);
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
  for (const detail of error.details ?? [])
    expect(Object.keys(detail)).toEqual(['index', 'field', 'rule', 'limit', 'received']);
  return error;
};
