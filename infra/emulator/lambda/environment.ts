/** One environment of a function, as on Lambda: a worker thread that loads a bundle and handles one event at a time. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { arn } from '../account.ts';
import type { FunctionDeployment } from '../deployment.ts';
import { compileCache } from './compile-cache.ts';
import { withoutTypes } from './without-types.ts';
import type { Invocation, Loaded, Outcome, WorkerStart } from './worker.ts';

/** Why there is no result: the function threw or timed out, or its environment ended (memory, `process.exit`). */
export interface FunctionError {
  readonly name: string;
  readonly message: string;
  /** With places in the source, if the bundle has a map. */
  readonly stack?: string;
}

export type Run =
  | { readonly ok: true; readonly result: unknown; readonly ms: number }
  | { readonly ok: false; readonly error: FunctionError; readonly ms: number };

export interface Environment {
  readonly folder: string;
  /** Whether an event may begin in it, that is, whether it has loaded. */
  isFree(): boolean;
  isRetired(): boolean;
  /** Handles an event. Never rejects. */
  run(event: unknown): Promise<Run>;
  /** Ends it once it is free. */
  retire(): void;
  /** Ends it at once; its event fails. */
  end(): Promise<void>;
}

export interface EnvironmentOptions {
  readonly logFile: string;
  /** Prefix of the environments' session tokens. */
  readonly secret: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Called when an invocation starts in the environment with this session token; `kill` ends the environment. */
  readonly onBegin: (sessionToken: string, kill: () => void) => void;
  readonly onEnd: (sessionToken: string) => void;
}

interface Events {
  loaded(result: true | FunctionError): void;
  /** Its bundle takes longer to load than Lambda allows INIT. */
  slow(): void;
  free(): void;
  ended(error: FunctionError): void;
}

/** How long a bundle may take to load, as for INIT on Lambda. A slower one still gets its event, which times out. */
const maxInitMs = 10_000;

/** In MB. V8's default, 48, is for one heap per process: ten busy environments would double a local stack's memory. */
const maxYoungGenerationSizeMb = 24;

const workerFile = withoutTypes(import.meta.dirname, 'worker');

/** Starts an environment with the bundle in `folder`. */
export const startEnvironment = (
  folder: string,
  { name, module, export: handler, memoryMb, timeoutMs, environment }: FunctionDeployment,
  options: EnvironmentOptions,
  on: Events,
): Environment => {
  const workerData: WorkerStart = {
    functionName: name,
    memoryMb,
    arn: arn('lambda', `function:${name}`),
    file: join(folder, module),
    export: handler,
    logFile: options.logFile,
    compileCache,
  };
  const sessionToken = `${options.secret}.${randomUUID()}`;
  const worker = new Worker(workerFile, {
    name,
    workerData,
    env: { ...environment, ...options.environment, AWS_SESSION_TOKEN: sessionToken },
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb },
  });
  let finish: ((outcome: Outcome | { readonly error: FunctionError }) => void) | undefined;
  let isRetired = false;
  const endIfRetired = () => {
    if (isRetired && finish === undefined) void worker.terminate();
  };
  const fail = (error: FunctionError) => {
    finish?.({ error });
    on.ended(error);
    void worker.terminate();
  };

  const overdue = setTimeout(on.slow, maxInitMs);
  worker.on('message', (message: Outcome | Loaded) => {
    if ('loaded' in message) {
      clearTimeout(overdue);
      on.loaded(message.loaded);
      return;
    }
    finish?.(message);
    endIfRetired();
    on.free();
  });
  worker.on('error', (thrown) => {
    const { name, message } = thrown instanceof Error ? thrown : { name: 'Error', message: String(thrown) };
    // It exits soon, and must not get another event before that.
    fail({ name, message });
  });
  worker.on('exit', (code) => {
    clearTimeout(overdue);
    fail({ name: 'Runtime.ExitError', message: `the runtime ended with code ${code}` });
  });

  return {
    folder,
    isFree: () => finish === undefined && !isRetired,
    isRetired: () => isRetired,
    run: (event) =>
      new Promise((resolve) => {
        const began = performance.now();
        const timeout = setTimeout(() => {
          const seconds = (timeoutMs / 1000).toFixed(2);
          fail({ name: 'Sandbox.Timedout', message: `Task timed out after ${seconds} seconds` });
        }, timeoutMs);
        finish = (outcome) => {
          clearTimeout(timeout);
          finish = undefined;
          options.onEnd(sessionToken);
          const ms = performance.now() - began;
          resolve(
            'error' in outcome ? { ok: false, error: outcome.error, ms } : { ok: true, result: outcome.result, ms },
          );
        };
        options.onBegin(sessionToken, () =>
          fail({ name: 'Runtime.ExitError', message: 'the environment was killed by an injected fault' }),
        );
        const deadline = Date.now() + timeoutMs;
        worker.postMessage({ requestId: randomUUID(), event, deadline } satisfies Invocation);
      }),
    retire() {
      isRetired = true;
      endIfRetired();
    },
    async end() {
      await worker.terminate();
    },
  };
};
