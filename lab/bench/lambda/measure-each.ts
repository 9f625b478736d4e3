/** Measures functions on workbenches that they share. */
import { startWorkbench, type Workbench } from '../../../infra/local/invoke/workbench.ts';
import type { FunctionName } from '../../../shared/contract.ts';

/** The reason why a function has no figures. */
export interface Failure {
  readonly function: string;
  readonly failure: string;
}

/** Returns whether every event of a function mails the Owner, who gets at most five mails in ten minutes. */
export const isMailed = (name: string): boolean => name.startsWith('sessions/') || name === 'users/end-session';

/** Yields what is measured of groups of functions, each on a workbench: those whose events need a mail have one of their own. */
export async function* measureGroups<Figures>(
  names: readonly FunctionName[],
  measureGroup: (workbench: Workbench, group: readonly FunctionName[]) => AsyncGenerator<Figures | Failure>,
): AsyncGenerator<Figures | Failure> {
  for (const group of groupsOf(names)) {
    const workbench = await startWorkbench();
    try {
      yield* measureGroup(workbench, group);
    } finally {
      await workbench.stop();
    }
  }
}

const groupsOf = (names: readonly FunctionName[]): readonly (readonly FunctionName[])[] => {
  const [alone, together] = [names.filter(isMailed), names.filter((name) => !isMailed(name))];
  return [...(together.length > 0 ? [together] : []), ...alone.map((name) => [name])];
};

export const failureOf = (name: string, error: unknown): Failure => ({
  function: name,
  failure: error instanceof Error ? error.message : String(error),
});

/** Yields the figures of each function, one after the other, or the reason why there are none. */
export const measureEach = <Figures>(
  names: readonly FunctionName[],
  measureOne: (workbench: Workbench, name: FunctionName) => Promise<Figures>,
): AsyncGenerator<Figures | Failure> =>
  measureGroups(names, async function* (workbench, group) {
    for (const name of group)
      try {
        yield await measureOne(workbench, name);
      } catch (error) {
        yield failureOf(name, error);
      }
  });
