/** The report on grants that follows a run of the tests, and when it fails the run. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { StatementData } from '../../infra/emulator/proxy/statements.ts';
import { grantsOf } from '../support/grants.ts';
import { reportUsage } from '../support/parts-template.ts';

const allow = (actions: readonly string[], resource: string, keys?: readonly string[]): StatementData => ({
  Sid: undefined,
  Effect: 'Allow',
  Action: [...actions],
  Resource: [resource],
  Condition: keys === undefined ? {} : { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [...keys] } },
});
const policies = {
  'masthead-local-roles-list': [
    allow(['dynamodb:GetItem'], 'arn:aws:dynamodb:eu-central-1:000000000000:table/things', ['KEY#*', 'STAFF']),
    allow(['logs:PutLogEvents'], 'arn:aws:logs:eu-central-1:000000000000:log-group:x:*'),
  ],
};
const names = { functions: { 'masthead-local-roles-list': 'roles/list' }, queues: {} };
const [keys = '', staff = ''] = grantsOf(policies, names).map(({ position }) => position);

let folder: string;
let usageFolder: string;
beforeEach(() => {
  // The report's summary, which is for the end of a run.
  vi.spyOn(console, 'log').mockImplementation(() => {});
  folder = mkdtempSync(join(tmpdir(), 'masthead-report-'));
  usageFolder = mkdtempSync(join(tmpdir(), 'masthead-usage-'));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

const report = (
  ended: Record<string, string>,
  all = ['a', 'b'],
  testNamePattern?: RegExp,
  project = 'shared process',
) =>
  reportUsage(
    {
      vitest: {
        config: { watch: false, testNamePattern },
        state: {
          getTestModules: () =>
            Object.entries(ended).map(([moduleId, end]) => ({
              moduleId,
              project: { name: project },
              state: () => end,
            })),
        },
        globTestSpecifications: async () => all.map((moduleId) => ({ moduleId })),
      },
    },
    { policies, names, usageFolder },
    join(folder, 'report.txt'),
  );
const used = (file: string, ...positions: string[]) =>
  writeFileSync(join(usageFolder, file), JSON.stringify(positions));
const passed = { a: 'passed', b: 'passed' };

describe('the report on grants', () => {
  test('names function, action and partition of a grant that no file used', async () => {
    used('a.json', keys);
    used('b.json', keys);
    expect(await report(passed)).toEqual(['roles/list: dynamodb:GetItem on STAFF']);
  });

  test('names no grant after the long tests, which are not meant to use all', async () => {
    used('a.json', keys);
    used('b.json', keys);
    expect(await report(passed, ['a', 'b'], undefined, 'long')).toEqual([]);
  });

  test('counts a grant as used if one file used it', async () => {
    used('a.json', keys);
    used('b.json', staff);
    expect(await report(passed)).toEqual([]);
  });

  test('lists every grant with its result', async () => {
    used('a.json', keys);
    await report(passed);
    expect(readFileSync(join(folder, 'report.txt'), 'utf8').split(/ {2,}|\n/)).toEqual([
      'IAM: 3 grants, 1 used, 1 exempt, 1 unused',
      '',
      'roles/list: dynamodb:GetItem on KEY#*',
      'used',
      'roles/list: dynamodb:GetItem on STAFF',
      'UNUSED',
      'roles/list: logs:PutLogEvents on log-group:x:*',
      "exempt: Lambda writes the function's log with its role",
      '',
    ]);
  });
});

test.each([
  ['some of the files', { a: 'passed' }, undefined],
  ['some of the tests, by their names', passed, /name/],
])('the report on grants is empty after a run of %s', async (_title, ended, pattern) => {
  expect(await report(ended, ['a', 'b'], pattern)).toEqual([]);
  expect(existsSync(join(folder, 'report.txt'))).toBe(false);
});

test('the report on grants is empty after a failed test, because later tests did not run', async () => {
  expect(await report({ a: 'passed', b: 'failed' })).toEqual([]);
  expect(existsSync(join(folder, 'report.txt'))).toBe(true);
});
