/** Measures functions one after the other on one workbench. */
import { startWorkbench, type Workbench } from '../../../infra/commands/invoke/workbench.ts';
import type { FunctionName } from '../../../shared/contract.ts';
import type { Limiter } from './quota.ts';

/** Why a function has no figures. */
export interface Failure {
  readonly function: string;
  readonly failure: string;
}

type MeasureOne<Figures> = (workbench: Workbench, name: FunctionName, limiter: Limiter) => Promise<Figures>;

/** Whether each event of a function needs a mail to the Owner, who gets five in ten minutes. */
export const isMailed = (name: string): boolean => name.startsWith('sessions/') || name === 'users/end-session';

/** Returns the functions that can share a workbench: those whose events need a mail have one of their own. */
export const groupsOf = (names: readonly FunctionName[]): readonly (readonly FunctionName[])[] => {
  const [alone, together] = [names.filter(isMailed), names.filter((name) => !isMailed(name))];
  return [...(together.length > 0 ? [together] : []), ...alone.map((name) => [name])];
};

export const failureOf = (name: string, error: unknown): Failure => ({
  function: name,
  failure: error instanceof Error ? error.message : String(error),
});

/** Yields the figures of each function, or the reason why there are none. */
export async function* measureEach<Figures>(
  names: readonly FunctionName[],
  limiter: Limiter,
  measureOne: MeasureOne<Figures>,
): AsyncGenerator<Figures | Failure> {
  for (const group of groupsOf(names)) yield* measureOnOne(group, limiter, measureOne);
}

async function* measureOnOne<Figures>(
  names: readonly FunctionName[],
  limiter: Limiter,
  measureOne: MeasureOne<Figures>,
): AsyncGenerator<Figures | Failure> {
  const workbench = await startWorkbench();
  try {
    for (const name of names)
      try {
        yield await measureOne(workbench, name, limiter);
      } catch (error) {
        yield failureOf(name, error);
      }
  } finally {
    await workbench.stop();
  }
}
