/** The attack suite covers every endpoint of the contract, and nothing else. The threat model's evidence exists. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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

it('the tests that the threat model names exist', () => {
  const root = join(import.meta.dirname, '../..');
  const evidence = readFileSync(join(root, 'lab/reports/threat-model.md'), 'utf8');
  const files = [...evidence.matchAll(/`((?:test|lab)\/[\w/.-]+\.ts)`/g)].map(([, file = '']) => file);
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});
