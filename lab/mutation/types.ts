/**
 * Finds the mutants that the compiler refuses, which need no test.
 *
 * Stryker's own checker needs the compiler's API, which TypeScript 7 does not have. This one puts each mutant next to its original
 * in a copy of the sources and compiles the copy once, with the mutants of all files: some ten seconds for thousands.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type Checker, type CheckResult, CheckStatus } from '@stryker-mutator/api/check';
import type { Mutant, Position } from '@stryker-mutator/api/core';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';

/** Returns the first error of each mutant by its id. */
const errorsOf = (output: string): ReadonlyMap<string, string> => {
  const errors = new Map<string, string>();
  for (const [, id = '', error = ''] of output.matchAll(/\.mutant-(\d+)\.ts\(.*?: error (TS.*)/g))
    if (!errors.has(id)) errors.set(id, error);
  return errors;
};

const mutated = ({ fileName, location: { start, end }, replacement }: Mutant): string => {
  const source = readFileSync(fileName, 'utf8');
  const lines = source.split('\n');
  const offset = ({ line, column }: Position): number =>
    lines.slice(0, line).reduce((sum, { length }) => sum + length + 1, 0) + column;
  return `${source.slice(0, offset(start))}${replacement}${source.slice(offset(end))}`;
};

const root = join(import.meta.dirname, '../..');
/** Below the root, so that packages are found; one a process, so that two parts can run at once. */
const copy = join(root, `coverage/mutation/types-${process.pid}`);

class TypeChecker implements Checker {
  async init(): Promise<void> {}

  /** Returns one group: the compiler runs once. */
  async group(mutants: Mutant[]): Promise<string[][]> {
    return [mutants.map(({ id }) => id)];
  }

  async check(mutants: Mutant[]): Promise<Record<string, CheckResult>> {
    rmSync(copy, { recursive: true, force: true });
    mkdirSync(copy, { recursive: true });
    cpSync(join(root, 'shared'), join(copy, 'shared'), { recursive: true });
    writeFileSync(
      join(copy, 'tsconfig.json'),
      JSON.stringify({ extends: '../../../tsconfig.json', include: ['**/*.mutant-*.ts', '**/*.d.ts'] }),
    );
    for (const mutant of mutants) {
      const file = relative(root, mutant.fileName).replace(/\.ts$/, `.mutant-${mutant.id}.ts`);
      writeFileSync(join(copy, file), mutated(mutant));
    }
    const errors = errorsOf(await compile());
    rmSync(copy, { recursive: true });
    return Object.fromEntries(
      mutants.map(({ id }): [string, CheckResult] => {
        const reason = errors.get(id);
        if (reason === undefined) return [id, { status: CheckStatus.Passed }];
        return [id, { status: CheckStatus.CompileError, reason }];
      }),
    );
  }
}

/** Returns the output of the compiler, which exits with an error if it finds one. */
const compile = (): Promise<string> =>
  new Promise((resolve, reject) => {
    const args = [join(root, 'node_modules/typescript/bin/tsc'), '-p', copy, '--pretty', 'false'];
    execFile(process.execPath, args, { maxBuffer: 2 ** 28 }, (error, output) => {
      if (error !== null && !output.includes(': error TS')) reject(error);
      else resolve(output);
    });
  });

export const strykerPlugins = [declareClassPlugin(PluginKind.Checker, 'types', TypeChecker)];
