/** Checks the attack suite against the contract: it covers every endpoint, and nothing else. */
import { expect, it } from 'vitest';
import { expectationOf, unusedExpectations } from '../attack/expectations.ts';
import { attackOn, limitsOf } from '../attack/limits.ts';
import { endpoints } from '../attack/matrix.ts';
import { settings } from '../support/invitation.ts';

it.each(endpoints)('the suite attacks $method $path', (line) => {
  expect(() => expectationOf(line)).not.toThrow();
});

it('the suite expects nothing of an endpoint that is not in the contract', () => {
  expect(unusedExpectations(endpoints)).toEqual([]);
});

it.each(Object.keys(limitsOf(settings)))('the suite attacks the limit %s', (setting) => {
  expect(() => attackOn(setting)).not.toThrow();
});
