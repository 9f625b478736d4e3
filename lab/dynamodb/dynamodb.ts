/** `npm --prefix lab run dynamodb`: tests stores and endpoints on the embedded table and another DynamoDB at once. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { command, run, sections } from '../../infra/command-line/command.ts';
import type { Compared } from './compare.ts';
import { startDynamoDbLocal } from './dynamodb-local.ts';

const root = join(import.meta.dirname, '../..');

const show = ({ calls, differences }: Compared): void => {
  const all = Object.values(calls).reduce((sum, count) => sum + count, 0);
  const differing = Object.values(differences).reduce((sum, { count }) => sum + count, 0);
  console.log(`${all} calls, ${differing} of them differ`);
  for (const [action, count] of Object.entries(calls).sort(([, a], [, b]) => b - a))
    console.log(`  ${action.padEnd(24)} ${String(count).padStart(7)}`);
  for (const [name, { count, example }] of Object.entries(differences))
    console.log(`✗ ${name}, ${count} times, first\n  ${example}`);
  if (differing > 0) process.exitCode = 1;
};

await run(
  command('npm --prefix lab run dynamodb --')
    .description(
      'Runs the tests of stores and endpoints while every call goes to the embedded table and to another ' +
        'DynamoDB. Prints the calls, and those whose status, error, cancellation reasons or values differ; ' +
        'the exit code is 1 if there are any. The order of a scan is not compared, and of a query only its items.',
    )
    .argument('[tests...]', 'Names of test files, such as webhook-store (default: all that use a table).')
    .option('--with <url>', 'The other DynamoDB. Default: DynamoDB Local, which Maven installs (Java 17).')
    .addHelpText(
      'after',
      sections({
        examples: {
          'Compare what two files of tests send': 'npm --prefix lab run dynamodb -- webhook-store table',
          'Compare with a DynamoDB that you have started':
            'npm --prefix lab run dynamodb -- --with http://127.0.0.1:8000',
        },
      }),
    )
    .action(async (tests, { with: url }) => {
      const folder = mkdtempSync(join(tmpdir(), 'masthead-dynamodb-'));
      const started = url === undefined ? await startDynamoDbLocal(join(folder, 'log')) : undefined;
      const other = url ?? started?.endpoint;
      if (other === undefined) return console.log('dynamodb is skipped: there is no other DynamoDB.');
      try {
        const file = join(folder, 'compared.json');
        const vitest = join(root, 'node_modules/vitest/vitest.mjs');
        const args = [vitest, 'run', '--config', 'lab/dynamodb/vitest.config.ts', '--reporter=dot', ...tests];
        const { status } = spawnSync(process.execPath, args, {
          cwd: root,
          stdio: 'inherit',
          env: { ...process.env, COMPARE_WITH: other, COMPARE_FILE: file },
        });
        show(JSON.parse(readFileSync(file, 'utf8')));
        if (status !== 0) process.exitCode = 1;
      } finally {
        await started?.stop();
        rmSync(folder, { recursive: true, force: true });
      }
    }),
);
