/** `npm run invoke` runs each function of the contract from its bundle, with its sample event and its policy. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startWorkbench, type Workbench } from '../../infra/local/invoke/workbench.ts';
import { contract } from '../../shared/contract.ts';
import { runScript } from '../support/run-script.ts';

const folder = join(import.meta.dirname, '../events');
const invoke = 'infra/local/invoke/invoke.ts';

let workbench: Workbench;
// A second stack, because the Owner has used up the sign-in links of ten minutes in the first one.
let ofUsers: Workbench;
beforeAll(async () => {
  [workbench, ofUsers] = await Promise.all([startWorkbench(), startWorkbench()]);
});
afterAll(() => Promise.all([workbench.stop(), ofUsers.stop()]));

test('every file with a sample event is that of a function', () => {
  const names = contract.map((line) => `${line.function.replaceAll('/', '-')}.json`);
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  expect(files.filter((file) => !names.includes(file))).toEqual([]);
});

const answer = v.object({ statusCode: v.number(), body: v.optional(v.string()) });
const batch = v.object({ batchItemFailures: v.pipe(v.array(v.unknown()), v.maxLength(0)) });

describe('the sample event', () => {
  test.each(contract.map((line) => [line.function, line] as const))(
    'of %s makes the function succeed',
    async (name, line) => {
      const { run } = await (/^(?:users|sessions)\/.*(?:end|list)/.test(name) || name.startsWith('users/')
        ? ofUsers
        : workbench
      ).invoke(name);
      if (!run.ok) throw new Error(`${name} failed: ${run.error.message}`);
      if (line.kind === 'endpoint') {
        const { statusCode, body } = v.parse(answer, run.result);
        // Only a session of the Owner may hand over, and the sample has a key.
        if (name === 'users/hand-over') expect(statusCode).toBe(403);
        else expect(statusCode, body).toBeLessThan(400);
      }
      if (line.kind === 'fallback') expect(run.result).toMatchObject({ statusCode: 405 });
      if (line.kind === 'queue') v.parse(batch, run.result);
    },
  );
});

describe('npm run invoke', () => {
  test('prints the result, the log and the AWS calls', async () => {
    const { code, output } = await runScript(invoke, ['webhooks/update', join(folder, 'webhooks-update.json')]);
    expect(output).toMatch(/Result\n[\s\S]*"statusCode": 200[\s\S]*"name": "Site rebuild"/);
    expect(output).toMatch(/Log\n.*"message":"answered"/);
    expect(output).toMatch(
      /AWS calls\n {3}dynamodb:GetItem {2}KEY#[\s\S]*dynamodb:TransactWriteItems {2}UpdateItem WEBHOOK#\w+, .* {2}200/,
    );
    expect(code).toBe(0);
  });

  test.each([
    ['an unknown function', ['no/such'], 2, /^<function> is 'no\/such'; it must be one of .*webhooks\/update/],
    [
      'a misspelled function',
      ['webhooks/updat'],
      2,
      /^Unknown function 'webhooks\/updat'\. Did you mean webhooks\/update\? Run with --help for usage\.\n$/,
    ],
    ['a missing file', ['webhooks/update', 'no.json'], 2, /^The event file no\.json does not exist\. /],
    ['a folder', ['webhooks/update', 'test/events'], 2, /^The event file test\/events is a folder\. .*\n$/],
    [
      'a file that is not JSON',
      ['webhooks/update', 'README.md'],
      2,
      /^The event file README\.md is not valid JSON: Unexpected token.*\n$/,
    ],
    // npm runs scripts in the root, and names the folder of the user.
    [
      'a file in the folder of the user that is not JSON',
      ['roles/list', 'invoke.test.ts'],
      2,
      /^The event file invoke\.test\.ts is not valid JSON: /,
      { INIT_CWD: import.meta.dirname },
    ],
  ])('reports %s in one line', async (_what, args, code, output, environment: NodeJS.ProcessEnv = {}) => {
    expect(await runScript(invoke, args, environment)).toEqual({ code, output: expect.stringMatching(output) });
  });
});
