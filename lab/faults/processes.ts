/** Runs simulated worlds, each in its own process, several at a time. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Report } from './scenarios/scenario.ts';

const report = async (file: string, args: readonly string[]): Promise<Pick<Finished, 'report' | 'seconds'>> => {
  // A process whose world missed a gate exits with 1 after its report.
  const { stdout, stderr } = await run(process.execPath, [file, ...args], { maxBuffer: 2 ** 26 }).catch(
    (error: { stdout: string; stderr: string }) => error,
  );
  const line = stdout.trim().split('\n').at(-1) ?? '';
  if (!line.startsWith('{')) throw new Error(`${args.join(' ')} ended without a report: ${stderr.slice(0, 2000)}`);
  const { seconds, ...found } = JSON.parse(line) as Report & { readonly seconds: number };
  return { report: found, seconds };
};

export interface WorldChoice {
  readonly name: string;
  readonly seed: number;
  /** The mistake to apply to the product; undefined for none. */
  readonly mutant: number | undefined;
}

export interface Finished extends WorldChoice {
  readonly report: Report;
  readonly seconds: number;
}

const run = promisify(execFile);

/** Runs all worlds, and reports each as soon as it is done. @throws Error if a process ends without a report */
export const runInProcesses = async (
  { file, args }: { readonly file: string; readonly args: readonly string[] },
  worlds: readonly WorldChoice[],
  atATime: number,
  onFinished: (finished: Finished) => void,
): Promise<Finished[]> => {
  const waiting = [...worlds];
  const finished: Finished[] = [];
  const work = async () => {
    for (let world = waiting.shift(); world !== undefined; world = waiting.shift()) {
      const { name, seed, mutant } = world;
      const chosen = [name, '--seed', String(seed), ...(mutant === undefined ? [] : ['--mutant', String(mutant)])];
      const one = { ...world, ...(await report(file, [...chosen, ...args, '--json'])) };
      finished.push(one);
      onFinished(one);
      if (process.stderr.isTTY) process.stderr.write(`${finished.length} of ${worlds.length} worlds\r`);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atATime, worlds.length) }, work));
  return finished;
};
