/** Measures functions one after the other on one workbench. */
import { startWorkbench, type Workbench } from '../../../infra/commands/invoke/workbench.ts';
import type { FunctionName } from '../../../shared/contract.ts';
import type { Limiter } from './quota.ts';

/** Why a function has no figures. */
export interface Failure {
  readonly function: string;
  readonly failure: string;
}

/** Yields the figures of each function, or the reason why there are none. */
export async function* measureEach<Figures>(
  names: readonly FunctionName[],
  limiter: Limiter,
  measureOne: (workbench: Workbench, name: FunctionName, limiter: Limiter) => Promise<Figures>,
): AsyncGenerator<Figures | Failure> {
  const workbench = await startWorkbench();
  try {
    for (const name of names)
      try {
        yield await measureOne(workbench, name, limiter);
      } catch (error) {
        yield { function: name, failure: error instanceof Error ? error.message : String(error) };
      }
  } finally {
    await workbench.stop();
  }
}
