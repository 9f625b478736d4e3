/** Holds the attack suite to the contract: it covers every endpoint, and nothing else. */
import { expect, it } from 'vitest';
import { expectationOf, unusedExpectations } from '../attack/expectations.ts';
import { attackOn, limitsOf } from '../attack/limits.ts';
import { endpoints } from '../attack/matrix.ts';
import { settings } from '../support/invitation.ts';

it.each(endpoints)('attacks $method $path', (line) => {
  expect(() => expectationOf(line)).not.toThrow();
});

it('has no expectation of an endpoint that the contract does not have', () => {
  expect(unusedExpectations(endpoints)).toEqual([]);
});

it.each(Object.keys(limitsOf(settings)))('attacks the limit %s', (setting) => {
  expect(() => attackOn(setting)).not.toThrow();
});
