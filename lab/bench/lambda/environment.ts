/** One environment of a function, limited to the CPU share of a memory size; it runs one event at a time. */
import { fork } from 'node:child_process';
import { on, once } from 'node:events';
import { join } from 'node:path';
import { type ContractLine, contract } from '../../../shared/contract.ts';
import type { Limiter } from './quota.ts';
import type { Job, Report } from './sandbox.ts';

type Ready = Extract<Report, { kind: 'ready' }>;
export type Done = Extract<Report, { kind: 'done' }>;

export interface Environment {
  readonly ready: Ready;
  /** @throws Error if the function fails */
  run(event: unknown): Promise<Done>;
  end(): Promise<void>;
}

interface Bundle {
  readonly name: string;
  readonly file: string;
  readonly environment: Readonly<Record<string, string>>;
}

const lines: readonly ContractLine[] = contract;

/** Loads the bundle with a full CPU, then limits it. */
export const startEnvironment = async (
  { name, file, environment }: Bundle,
  memoryMb: number,
  limiter: Limiter,
): Promise<Environment> => {
  const child = fork(join(import.meta.dirname, 'sandbox.ts'), [file], {
    env: {
      PATH: process.env.PATH ?? '',
      ...environment,
      METRICS_NAMESPACE: 'Masthead',
      NODE_OPTIONS: '--disable-warning=ExperimentalWarning',
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const quota = limiter.quotaOf(memoryMb);
  const seconds = lines.find((line) => line.function === name)?.timeoutSeconds ?? 10;
  const reports = on(child, 'message', { close: ['exit'] });
  const reported = async (): Promise<Report> => {
    const { value, done } = await reports.next();
    if (done) throw new Error(`The environment of ${name} at ${memoryMb} MB ended.`);
    return value[0];
  };
  const end = async () => {
    const gone = child.exitCode === null ? once(child, 'exit') : undefined;
    child.kill('SIGKILL');
    await gone;
    quota.remove();
  };
  try {
    const ready = await reported();
    if (ready.kind !== 'ready') throw new Error(`${name} did not start.`);
    quota.limit(child.pid ?? 0);
    return {
      ready,
      async run(event) {
        child.send({ event, seconds } satisfies Job);
        const report = await reported();
        // The fallback function answers every event with an error, as it should.
        if (report.kind !== 'done' || (report.error !== undefined && name !== 'fallback/answer'))
          throw new Error(`${name} at ${memoryMb} MB failed: ${JSON.stringify(report)}`);
        return report;
      },
      end,
    };
  } catch (error) {
    await end();
    throw error;
  }
};
