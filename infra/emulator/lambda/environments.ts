/** The environments of one function: starts them one by one, ends idle ones, and replaces their bundle. */
import type { FunctionDeployment } from '../deployment.ts';
import { type Environment, type EnvironmentOptions, type FunctionError, startEnvironment } from './environment.ts';

export interface Environments {
  free(): Environment | undefined;
  /** Starts one more, unless one is starting already or their number has reached the limit. */
  grow(): void;
  warm(): void;
  /** Ends all environments once they are free. */
  cool(): void;
  isWarm(): boolean;
  folder(): string;
  /**
   * Replaces the bundle once the new one has loaded, or at the next start if there are no environments.
   * Running invocations finish with the old bundle. A new bundle that does not load is dropped.
   * @param settled called with the error, if it did not load; not called if another update overtakes this one
   */
  update(folder: string, settled: (error?: FunctionError) => void): void;
  /** Ends all environments at once; running invocations fail. */
  stop(): Promise<void>;
}

export interface EnvironmentsOptions extends EnvironmentOptions {
  readonly limit: number;
  /** For how many ms an environment may be idle next to another one of its function. Default: a minute. */
  readonly maxIdleMs?: number;
}

interface Events {
  /** An environment may be free, or one more may start. */
  changed(): void;
  /** An environment ended before its bundle had loaded or failed to. */
  failedToStart(error: FunctionError): void;
}

/** An environment takes 40 MB. Keep one warm; the rest would sit idle until the next burst. Lambda ends them too. */
const defaultMaxIdleMs = 60_000;

/** Makes the environments of one function, none at first. */
export const makeEnvironments = (
  deployment: FunctionDeployment,
  options: EnvironmentsOptions,
  on: Events,
): Environments => {
  const all = new Set<Environment>();
  const starting = new Set<Environment>();
  let stopped = false;
  let current = deployment.folder;
  let candidate: { readonly folder: string; readonly settled: (error?: FunctionError) => void } | undefined;

  const isFree = (environment: Environment) => environment.isFree() && !starting.has(environment);

  const start = () => {
    if (stopped) return;
    const environment = startEnvironment(candidate?.folder ?? current, deployment, options, {
      loaded(result) {
        hasStarted(environment);
        tried(environment, result);
        on.changed();
      },
      slow() {
        hasStarted(environment);
        on.changed();
      },
      free() {
        idle.refresh();
        on.changed();
      },
      ended(error) {
        clearTimeout(idle);
        all.delete(environment);
        // Without this, environments that end while they load would be started again and again.
        const isOfUse = environment.folder === current && !environment.isRetired();
        if (starting.delete(environment) && isOfUse) on.failedToStart(error);
        tried(environment, error);
        on.changed();
      },
    });
    const idle = setTimeout(() => {
      if (!isFree(environment) || all.size === 1) return;
      all.delete(environment);
      void environment.end();
    }, options.maxIdleMs ?? defaultMaxIdleMs).unref();
    all.add(environment);
    starting.add(environment);
  };

  const hasStarted = (environment: Environment) => {
    if (environment.folder === current) starting.delete(environment);
  };

  /** Uses or drops the new bundle after one environment has tried to load it; `result` is the error, or `true`. */
  const tried = (environment: Environment, result: true | FunctionError) => {
    if (environment.folder === current) return;
    if (environment.folder !== candidate?.folder) {
      environment.retire();
      return;
    }
    const { folder, settled } = candidate;
    candidate = undefined;
    if (result === true) {
      current = folder;
      starting.delete(environment);
    }
    for (const other of all) if (other.folder !== current) other.retire();
    settled(result === true ? undefined : result);
  };

  return {
    free: () => [...all].find(isFree),
    grow() {
      // One at a time: on few cores, threads that start at the same time slow each other down.
      if (starting.size === 0 && all.size < options.limit) start();
    },
    warm() {
      if (all.size === 0) start();
    },
    cool() {
      for (const environment of all) environment.retire();
    },
    isWarm: () => all.size > 0,
    folder: () => current,
    update(folder, settled) {
      candidate = { folder, settled };
      if (all.size > 0) start();
    },
    async stop() {
      stopped = true;
      await Promise.all([...all].map((environment) => environment.end()));
    },
  };
};
