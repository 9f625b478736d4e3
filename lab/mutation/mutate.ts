/** `npm --prefix lab run mutate`: changes the product in small ways, one at a time, and reports the changes that no test detects. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Option } from '@commander-js/extra-typings';
import type { LogLevel, PartialStrykerOptions, schema } from '@stryker-mutator/api/core';
import { Stryker } from '@stryker-mutator/core';
import { command, run, wholeNumber } from '../../infra/command-line/command.ts';
import { filesIn, outdated, type PartResult, pageOf, tableOf, unexplained } from './report.ts';
import { filesToMutate, type Part, parts, setTests, testsOf } from './scope.ts';
import { survivors } from './survivors.ts';

/** Mutates the files of a part, runs its tests on each mutant, and leaves the reports in its folder. */
const mutate = async (
  part: Part,
  files: readonly string[],
  tests: readonly string[],
  { incremental = false, concurrency }: Options,
): Promise<PartResult> => {
  console.log(`${part.name}: ${files.length} files, ${tests.length} test files`);
  setTests(tests, part);
  const report = (name: string): string => `${folder}/${part.name}/${name}`;
  const options: PartialStrykerOptions = {
    mutate: [...files],
    testRunner: 'vitest-by-file',
    plugins: [
      '@stryker-mutator/vitest-runner',
      ...['runner', 'types', 'ignored'].map((name) => `./lab/mutation/${name}.ts`),
    ],
    checkers: ['types'],
    ignorers: ['prose'],
    vitest: { configFile: 'lab/mutation/vitest.config.ts', related: false },
    concurrency,
    // For mutants that hang. It is longer than any test may take, so that a busy machine does not look like a hanging mutant.
    timeoutMS: 60_000,
    incremental: true,
    force: !incremental,
    incrementalFile: report('incremental.json'),
    reporters: ['json', 'html', process.stdout.isTTY ? 'progress' : 'progress-append-only'],
    jsonReporter: { fileName: report('report.json') },
    htmlReporter: { fileName: report('report.html') },
    tempDirName: `${folder}/sandbox`,
    ignorePatterns: ['.masthead', 'cdk.out', 'coverage'],
    // Stryker reads this file with the compiler's API, which TypeScript 7 does not have. The tests need no types.
    tsconfigFile: 'none',
    disableTypeChecks: false,
    logLevel: 'warn' as LogLevel,
  };
  await new Stryker(options).runMutationTest();
  const result: schema.MutationTestResult = JSON.parse(readFileSync(join(root, report('report.json')), 'utf8'));
  // Stryker's report also contains files of the part from earlier runs.
  const mutated = Object.entries(result.files).filter(([file]) => files.includes(file));
  const revision = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  return { revision, files: Object.fromEntries(mutated) };
};

const latest = (): PartResult[] => {
  const files = parts.map(({ name }) => resultOf(name)).filter((file) => existsSync(file));
  return files.map((file) => JSON.parse(readFileSync(file, 'utf8')));
};

const resultOf = (part: string): string => {
  return `${folder}/${part}/result.json`;
};

/** Runs the chosen parts one after the other, and keeps the result of each complete part for the page. */
const mutateParts = async (options: Options, glob: string | undefined): Promise<PartResult[]> => {
  const results: PartResult[] = [];
  for (const part of parts) {
    if (options.part !== undefined && options.part !== part.name) continue;
    const files = filesToMutate(part, root, glob);
    const tests = testsOf(part, root, options.tests);
    if (files.length === 0 || tests.length === 0) continue;
    const result = await mutate(part, files, tests, options);
    if (glob === undefined && options.tests === undefined)
      writeFileSync(resultOf(part.name), JSON.stringify(result, undefined, 1));
    results.push(result);
  }
  if (results.length === 0) throw new Error('No file in the scope matches, or no test of the part.');
  return results;
};

const root = join(import.meta.dirname, '../..');
const page = 'lab/reports/mutation.md';
/** Ignored by git. */
const folder = 'coverage/mutation';

await run(
  command('npm --prefix lab run mutate --')
    .description(
      `Changes the product in small ways, one at a time, and runs the nearest tests on each change. The exit code is 1 if a change survives without an explanation in lab/mutation/survivors.ts, or if an explanation is outdated.

Parts, files and tests: lab/mutation/scope.ts. Reports of each part, as HTML and JSON: ${folder}/.`,
    )
    .argument('[glob]', "Files to mutate, such as 'shared/table/*' (default: all files of the scope).")
    .addOption(new Option('--part <name>', 'Mutate one part.').choices(parts.map(({ name }) => name)))
    .option('--page', `Mutate nothing; write ${page} from the latest run of each part.`)
    .option('--incremental', 'Reuse earlier results if neither the code nor its tests have changed.')
    .option('--tests <glob>', 'Run only some tests of each part, for example the one you are writing.')
    .option('--concurrency <number>', 'Number of test runners.', wholeNumber('--concurrency'), availableParallelism())
    .action(async (glob, options) => {
      process.chdir(root);
      const results = options.page === true ? latest() : await mutateParts(options, glob);
      console.log(`\n${tableOf(results, survivors)}`);
      if (options.page === true) {
        const before = readFileSync(page, 'utf8');
        const wanted = parts.flatMap((part) => filesToMutate(part, root));
        const known = new Set([...filesIn(before), ...results.flatMap(({ files }) => Object.keys(files))]);
        const missing = parts.flatMap((part) => {
          const files = filesToMutate(part, root);
          const unknown = files.filter((file) => !known.has(file));
          return unknown.length === files.length ? [`the part ${part.name}`] : unknown;
        });
        writeFileSync(page, pageOf(results, survivors, { before, wanted, missing }));
      }
      const open = unexplained(results, survivors);
      for (const { file, line, change } of open) console.log(`${file}:${line}  ${change}`);
      const old = outdated(results, survivors);
      for (const line of old) console.log(`${line}  (explained, but does not survive)`);
      if (open.length + old.length > 0) {
        console.error(
          `${open.length} survivors need a test or an explanation, ${old.length} explanations are outdated.`,
        );
        process.exitCode = 1;
      }
    }),
);

interface Options {
  readonly part?: string | undefined;
  readonly incremental?: boolean | undefined;
  readonly tests?: string | undefined;
  readonly concurrency: number;
}
