/** All functions of a deployment, each in its pool, with the environment variables of the local stack. */
import { availableParallelism } from 'node:os';
import { region } from '../account.ts';
import type { Deployment, FunctionDeployment } from '../deployment.ts';
import type { Listening } from '../loopback.ts';
import type { Counter } from '../proxy/count.ts';
import type { Faults } from '../proxy/faults.ts';

import type { Run } from './environment.ts';
import { type Pool, startPool } from './pool.ts';

/** The maximum number of an endpoint's environments: more than the cores would only wait for each other. */
const endpointLimit = Math.max(2, Math.min(4, availableParallelism()));

interface Surroundings {
  readonly logFile: string;
  /** The secret of this start (`session.ts`). */
  readonly secret: string;
  readonly proxy: Pick<Listening, 'origin'>;
  readonly faults: Faults;
  readonly counter: Counter;
  /** Whether functions may run for any time, because a debugger may stop them. */
  readonly isDebugged: boolean;
}

/** In ms: the deadline of a function that a debugger may stop. */
const debuggedFor = 24 * 60 * 60 * 1000;

/** Makes the pools; environments start on demand. */
export const startFunctions = ({ functions, eventSources }: Deployment, surroundings: Surroundings) => {
  const { logFile, secret, proxy, faults, counter, isDebugged } = surroundings;
  const options = (fn: FunctionDeployment) => {
    const sourcesOf = eventSources.filter(({ functionName }) => functionName === fn.name);
    const concurrency = sourcesOf.reduce((sum, { maxConcurrency }) => sum + maxConcurrency, 0);
    return {
      limit: concurrency || endpointLimit,
      logFile,
      secret,
      onBegin: (token: string, kill: () => void) => faults.begins(fn.name, token, kill),
      onEnd: faults.ends,
      environment: {
        AWS_REGION: region,
        // Identifies the function at the proxy.
        AWS_ACCESS_KEY_ID: fn.name,
        AWS_SECRET_ACCESS_KEY: 'local',
        AWS_ENDPOINT_URL_DYNAMODB: proxy.origin,
        AWS_ENDPOINT_URL_SQS: proxy.origin,
        AWS_ENDPOINT_URL_SES: proxy.origin,
      },
    };
  };
  const pools = new Map(
    functions.map((fn): [string, Pool] => {
      const pool = startPool(isDebugged ? { ...fn, timeoutMs: debuggedFor } : fn, options(fn));
      const invoke: Pool['invoke'] = async (event) => {
        const run = await pool.invoke(event);
        report(fn.name, run);
        counter.invoked(fn.name, run, fn.memoryMb);
        return run;
      };
      return [fn.name, { ...pool, invoke }];
    }),
  );
  return {
    /** Returns the pool of a function by its physical name. @throws Error if the template has no such function */
    poolOf(name: string): Pool {
      const pool = pools.get(name);
      if (pool === undefined) throw new Error(`the template has no function ${name}`);
      return pool;
    },
    async stop() {
      await Promise.all([...pools.values()].map((pool) => pool.stop()));
    },
  };
};

const report = (name: string, run: Run): void => {
  if (!run.ok && run.error.name !== 'Stopped') console.error(`${name}: ${run.error.name}: ${run.error.message}`);
};
