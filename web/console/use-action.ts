/** Runs an action of the user once at a time, and keeps why it failed. */
import { useState } from 'preact/hooks';

export interface Action {
  readonly run: () => void;
  readonly isRunning: boolean;
  /** Why the last run failed; undefined before it and after a success. */
  readonly error: unknown;
}

export const useAction = (act: () => Promise<unknown>): Action => {
  const [state, setState] = useState<{ readonly isRunning: boolean; readonly error?: unknown }>({ isRunning: false });
  const run = (): void => {
    if (state.isRunning) return;
    setState({ isRunning: true });
    act().then(
      () => setState({ isRunning: false }),
      (error: unknown) => setState({ isRunning: false, error }),
    );
  };
  return { run, isRunning: state.isRunning, error: state.error };
};
