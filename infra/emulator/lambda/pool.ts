/** Runs one function as Lambda does: each invocation has its own environment. At the concurrency limit, they queue. */
import { existsSync } from 'node:fs';
import type { FunctionDeployment } from '../deployment.ts';
import type { Environment, FunctionError, Run } from './environment.ts';
import { type Environments, type EnvironmentsOptions, makeEnvironments } from './environments.ts';

export interface Pool extends Omit<Environments, 'free' | 'grow'> {
  /** Runs the function once: in a free environment, in a new one, or when one becomes free. Never rejects. */
  invoke(event: unknown): Promise<Run>;
  /** Returns when it was last invoked, in epoch ms; 0 if never. */
  invokedAt(): number;
  pause(): void;
  resume(): void;
  /** Resolves when the pool is not paused, or is stopped. */
  resumed(): Promise<void>;
}

interface Waiting {
  runIn(environment: Environment): void;
  fail(error: FunctionError): void;
}

/** Makes the pool of one function; environments start on demand. It starts paused if its bundle does not exist yet. */
export const startPool = (deployment: FunctionDeployment, options: EnvironmentsOptions): Pool => {
  const waiting: Waiting[] = [];
  let stopped = false;
  let paused = existsSync(deployment.folder) ? undefined : Promise.withResolvers<void>();
  let invokedAt = 0;

  const next = () => {
    while (paused === undefined && waiting.length > 0) {
      const environment = free();
      if (environment === undefined) return grow();
      waiting.shift()?.runIn(environment);
    }
  };

  const { free, grow, ...others } = makeEnvironments(deployment, options, {
    changed: next,
    failedToStart: (error) => waiting.shift()?.fail(error),
  });

  return {
    ...others,
    invoke(event) {
      invokedAt = Date.now();
      return new Promise((resolve) => {
        const fail = (error: FunctionError) => resolve({ ok: false, error, ms: 0 });
        if (stopped) return fail(isStopping);
        waiting.push({ runIn: (environment) => resolve(environment.run(event)), fail });
        next();
      });
    },
    invokedAt: () => invokedAt,
    pause() {
      paused ??= Promise.withResolvers();
    },
    resume() {
      paused?.resolve();
      paused = undefined;
      next();
    },
    resumed: async () => paused?.promise,
    async stop() {
      stopped = true;
      paused?.resolve();
      for (const { fail } of waiting.splice(0)) fail(isStopping);
      await others.stop();
    },
  };
};

const isStopping: FunctionError = { name: 'Stopped', message: 'the stack is stopping' };
