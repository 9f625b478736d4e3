/** `npm run mutate`: changes the product in small ways, one at a time, and reports the changes that no test detects. */
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { LogLevel, PartialStrykerOptions, schema } from '@stryker-mutator/api/core';
import { Stryker } from '@stryker-mutator/core';
import { runCommand } from '../../infra/commands/command.ts';
import { outdated, type PartResult, pageOf, tableOf, unexplained } from './report.ts';
import { filesToMutate, type Part, parts, partVariable } from './scope.ts';
import { survivors } from './survivors.ts';

const root = join(import.meta.dirname, '../..');
const page = 'docs/mutation.md';
/** Ignored by git. */
const folder = 'coverage/mutation';

await runCommand(
  {
    usage: 'npm run mutate [-- [options] [glob]]',
    summary:
      'Changes the product in small ways, one at a time, and runs the nearest tests on each change.\nThe exit code is 1 if a change survives without an explanation in test/mutation/survivors.ts, or an explanation is outdated.',
    arguments: {
      '[glob]': `Files to mutate, such as 'shared/table/*' (default: the whole scope, and ${page} is written)`,
    },
    options: {
      incremental: {
        type: 'boolean',
        description: 'Reuse earlier results if neither the code nor its tests have changed.',
      },
      concurrency: {
        type: 'string',
        value: '<number>',
        default: String(availableParallelism()),
        description: 'Number of test runners.',
      },
    },
    notes: `Parts, files and tests: test/mutation/scope.ts. Reports of each part, as HTML and JSON: ${folder}/.`,
  },
  async ({ values, positionals: [glob] }) => {
    process.chdir(root);
    const results: PartResult[] = [];
    for (const part of parts) {
      const files = filesToMutate(part, root, glob);
      if (files.length > 0) results.push(await mutate(part, files, values));
    }
    if (results.length === 0) throw new Error(`No file of the scope matches '${glob}'.`);
    console.log(`\n${tableOf(results, survivors)}`);
    if (glob === undefined) writeFileSync(page, pageOf(results, survivors, Number(values.concurrency)));
    const open = unexplained(results, survivors);
    for (const { file, line, change } of open) console.log(`${file}:${line}  ${change}`);
    const old = outdated(results, survivors);
    for (const line of old) console.log(`${line}  (explained, but does not survive)`);
    if (open.length + old.length > 0) {
      console.error(`${open.length} survivors need a test or an explanation, ${old.length} explanations are outdated.`);
      process.exitCode = 1;
    }
  },
);

/** Mutates the files of a part, runs its tests on each mutant, and leaves the reports in its folder. */
async function mutate(
  part: Part,
  files: readonly string[],
  { incremental = false, concurrency }: { readonly incremental?: boolean | undefined; readonly concurrency: string },
): Promise<PartResult> {
  console.log(`${part.name}: ${files.length} files`);
  process.env[partVariable] = part.name;
  const began = performance.now();
  const report = (name: string): string => `${folder}/${part.name}/${name}`;
  const options: PartialStrykerOptions = {
    mutate: [...files],
    testRunner: 'vitest-by-file',
    plugins: [
      '@stryker-mutator/vitest-runner',
      ...['runner', 'types', 'ignored'].map((name) => `./test/mutation/${name}.ts`),
    ],
    checkers: ['types'],
    ignorers: ['prose'],
    vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
    concurrency: Number(concurrency),
    // For mutants that hang; on a busy machine the tests of a part may take a while.
    timeoutMS: 15_000,
    incremental: true,
    force: !incremental,
    incrementalFile: report('incremental.json'),
    reporters: ['json', 'html', process.stdout.isTTY ? 'progress' : 'progress-append-only'],
    jsonReporter: { fileName: report('report.json') },
    htmlReporter: { fileName: report('report.html') },
    tempDirName: `${folder}/sandbox`,
    ignorePatterns: ['.masthead', 'cdk.out', 'coverage'],
    // Stryker reads it with the compiler's API, which TypeScript 7 does not have; the tests need no types.
    tsconfigFile: 'none',
    disableTypeChecks: false,
    logLevel: 'warn' as LogLevel,
  };
  await new Stryker(options).runMutationTest();
  const result: schema.MutationTestResult = JSON.parse(readFileSync(join(root, report('report.json')), 'utf8'));
  // Stryker also reports other files of the part, from the run before.
  const mutated = Object.entries(result.files).filter(([file]) => files.includes(file));
  return { seconds: Math.round((performance.now() - began) / 1000), files: Object.fromEntries(mutated) };
}
