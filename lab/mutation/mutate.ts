/** `npm --prefix lab run mutate`: changes the delivery engine slightly, many times, and lists undetected changes. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { LogLevel } from '@stryker-mutator/api/core';
import { Stryker } from '@stryker-mutator/core';
import { command, run, wholeNumber } from '../../infra/command-line/command.ts';

/** Ignored by git. */
const folder = 'coverage/mutation';

await run(
  command('npm --prefix lab run mutate --')
    .description(
      'Changes the delivery engine in small ways, one at a time, and lists the changes that no test detects. ' +
        `All of it takes hours; name a folder or a file. A report is in ${folder}/.`,
    )
    .argument('[files]', 'A glob of files to mutate.', 'shared/{deliveries,webhooks}/**/*.ts')
    .option(
      '--tests <globs...>',
      'The tests that run on each change.',
      ['unit', 'fan-out', 'endpoints'].map((level) => `test/${level}/**/*.test.ts`),
    )
    .option('--concurrency <number>', 'Number of test runners.', wholeNumber('--concurrency'), availableParallelism())
    .action(async (files, { tests, concurrency }) => {
      process.chdir(join(import.meta.dirname, '../..'));
      process.env.MUTATION_TESTS = tests.join(' ');
      const mutants = await new Stryker({
        mutate: [files],
        testRunner: 'vitest',
        plugins: ['@stryker-mutator/vitest-runner'],
        vitest: { configFile: 'lab/mutation/vitest.config.ts', related: false },
        concurrency,
        // For mutants that hang: longer than a test takes on a busy machine.
        timeoutMS: 60_000,
        // Mutants in code that runs while a module is loaded would run every test.
        ignoreStatic: true,
        incremental: true,
        incrementalFile: `${folder}/incremental.json`,
        reporters: ['clear-text', 'html', 'progress-append-only'],
        clearTextReporter: { reportTests: false, logTests: false },
        htmlReporter: { fileName: `${folder}/report.html` },
        tempDirName: `${folder}/sandbox`,
        ignorePatterns: ['.masthead', 'cdk.out', 'coverage'],
        // Stryker reads this file with the compiler's API, which TypeScript 7 does not have. The tests need no types.
        tsconfigFile: 'none',
        disableTypeChecks: false,
        logLevel: 'warn' as LogLevel,
      }).runMutationTest();
      const survivors = mutants.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
      console.log(`${mutants.length} mutants, ${survivors.length} not detected`);
    }),
);
