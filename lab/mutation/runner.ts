/**
 * Runs Stryker's vitest runner file by file, which takes a fraction of the time.
 *
 * Stryker runs every test on a mutant in code that no test covers: code that runs while a file is loaded, or in a hook. Here such code counts as
 * covered by all tests of the files that run it. So does code that runs only once, because a test may have loaded its module. Of the test files that
 * reach a mutant, the one most likely to detect it runs first.
 */
import type { MutantCoverage } from '@stryker-mutator/api/core';
import {
  commonTokens,
  declareFactoryPlugin,
  type Injector,
  type PluginContext,
  PluginKind,
  tokens,
} from '@stryker-mutator/api/plugin';
import {
  type CompleteDryRunResult,
  type DryRunOptions,
  type DryRunResult,
  DryRunStatus,
  type MutantRunOptions,
  type MutantRunResult,
  MutantRunStatus,
  type TestRunner,
} from '@stryker-mutator/api/test-runner';
import { strykerPlugins as vitestPlugins } from '@stryker-mutator/vitest-runner';
import { currentTests } from './scope.ts';

const sum = (hits: Hits, others: Hits): Hits => {
  const all = { ...hits };
  for (const [mutant, count] of Object.entries(others)) all[mutant] = (all[mutant] ?? 0) + count;
  return all;
};

/** Returns the code in a file that runs only once; the first test that invokes a function may have loaded its modules. */
const once = ({ perTest }: MutantCoverage): Hits => {
  const all = Object.values(perTest).reduce(sum, {});
  return Object.fromEntries(Object.entries(all).filter(([, count]) => count === 1));
};

class RunnerByFile implements TestRunner {
  private readonly vitest: TestRunner;
  private readonly files = currentTests();
  /** By source file: the test files that detected one of its mutants, the latest first. */
  private readonly successful = new Map<string, readonly string[]>();

  constructor(vitest: TestRunner) {
    this.vitest = vitest;
  }

  capabilities() {
    return this.vitest.capabilities();
  }

  async init(): Promise<void> {
    await this.vitest.init?.();
  }

  async dryRun(options: DryRunOptions): Promise<DryRunResult> {
    const all: CompleteDryRunResult = { status: DryRunStatus.Complete, tests: [], mutantCoverage: none() };
    for (const file of this.files) {
      const one = await this.vitest.dryRun({ ...options, testFiles: [file] });
      if (one.status !== DryRunStatus.Complete) return one;
      all.tests.push(...one.tests);
      const coverage = one.mutantCoverage ?? none();
      const { perTest } = coverage;
      const shared = sum(coverage.static, once(coverage));
      for (const { id } of one.tests)
        Object.assign(all.mutantCoverage?.perTest ?? {}, { [id]: sum(perTest[id] ?? {}, shared) });
    }
    return all;
  }

  /** Runs one test file after the other until one fails, starting with those that detected other mutants of the same source file. */
  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    const { sandboxFileName, testFilter = [] } = options;
    const successful = this.successful.get(sandboxFileName) ?? [];
    const place = (file: string): number =>
      successful.includes(file) ? successful.indexOf(file) - successful.length : 0;
    const byFile = Map.groupBy(testFilter, fileOf);
    const files = this.files.filter((file) => byFile.has(file)).sort((a, b) => place(a) - place(b));
    let nrOfTests = 0;
    for (const file of files) {
      const result = await this.vitest.mutantRun({
        ...options,
        testFilter: byFile.get(file) ?? [],
        // Must run before the files are loaded: Stryker cannot attribute code that runs later.
        mutantActivation: 'static',
      });
      if (result.status === MutantRunStatus.Survived) nrOfTests += result.nrOfTests;
      else if (result.status === MutantRunStatus.Killed) {
        this.successful.set(sandboxFileName, [file, ...successful.filter((other) => other !== file)]);
        return { ...result, nrOfTests: nrOfTests + result.nrOfTests };
      } else return result;
    }
    return { status: MutantRunStatus.Survived, nrOfTests };
  }

  async dispose(): Promise<void> {
    await this.vitest.dispose?.();
  }
}

/** Returns the file in a test's id, which has the form `file#name`. */
const fileOf = (id: string): string => id.slice(0, id.indexOf('#'));

type Hits = MutantCoverage['static'];

const none = (): MutantCoverage => ({ perTest: {}, static: {} });

const makeRunner = (injector: Injector<PluginContext>): TestRunner => {
  const [vitest] = vitestPlugins;
  if (vitest === undefined) throw new Error('@stryker-mutator/vitest-runner has no runner.');
  return new RunnerByFile(vitest.factory(injector));
};
makeRunner.inject = tokens(commonTokens.injector);

export const strykerPlugins = [declareFactoryPlugin(PluginKind.TestRunner, 'vitest-by-file', makeRunner)];
