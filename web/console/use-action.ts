/** Runs a user's action, never twice at the same time, and keeps the error of the last run. */
import { useState } from 'preact/hooks';

export interface Action {
  readonly run: () => void;
  readonly isRunning: boolean;
  /** The error of the last run; undefined before the first run and after a success. */
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
