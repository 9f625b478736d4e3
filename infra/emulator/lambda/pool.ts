/** Runs one function as Lambda does: in environments (worker threads) that handle one event at a time. */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { arn } from '../account.ts';
import type { FunctionDeployment } from '../deployment.ts';
import { cache, compileCache } from './compile-cache.ts';
import type { Invocation, Loaded, Outcome, WorkerStart } from './worker.ts';

/** Why there is no result: the function threw or timed out, or its environment ended (memory, `process.exit`). */
export interface FunctionError {
  readonly name: string;
  readonly message: string;
}

export type Run =
  | { readonly ok: true; readonly result: unknown; readonly ms: number }
  | { readonly ok: false; readonly error: FunctionError; readonly ms: number };

export interface Pool {
  /**
   * Runs the function once: in a free environment, in a new one, or when one becomes free. Never rejects.
   * @param began called when it starts, with a function that returns for how many ms its environment has computed so far
   */
  invoke(event: unknown, began?: (computedMs: () => number) => void): Promise<Run>;
  /** Starts an environment if there is none. */
  warm(): void;
  /** Ends its environments once they are free. */
  cool(): void;
  /** Whether it has environments. */
  isWarm(): boolean;
  /** Returns when it was last invoked, in epoch ms; 0 if never. */
  invokedAt(): number;
  /** Lets invocations wait until `release`. */
  hold(): void;
  release(): void;
  /** Returns the folder of the bundle in use. */
  folder(): string;
  /**
   * Replaces the bundle once the new one has loaded: at once if the function has environments, otherwise when it is invoked next. Running
   * invocations end with the old one, and a bundle that does not load is dropped.
   * @param settled called with the error, if it did not load; not called if another update overtakes this one
   */
  update(folder: string, settled: (error?: FunctionError) => void): void;
  /** Ends all environments at once; running invocations fail. */
  stop(): Promise<void>;
}

export interface PoolOptions {
  /** The maximum number of environments. */
  readonly limit: number;
  readonly logFile: string;
  /** Prefix of the environments' session tokens. */
  readonly secret: string;
  /** Additional environment variables. */
  readonly environment: Readonly<Record<string, string>>;
  /** For how many ms an environment may be idle beside another one of its function. Default: a minute. */
  readonly maxIdleMs?: number;
  /** Called when an invocation starts in the environment with this session token; `kill` ends the environment. */
  readonly onBegin: (sessionToken: string, kill: () => void) => void;
  readonly onEnd: (sessionToken: string) => void;
}

interface Sandbox {
  readonly worker: Worker;
  readonly sessionToken: string;
  /** The folder of its bundle. */
  readonly folder: string;
  /** Whether its bundle has loaded, with or without an error. */
  ready: boolean;
  /** Whether it ends after its current run. */
  isOld: boolean;
  /** Ends it if it was not used for long. */
  readonly idle: NodeJS.Timeout;
  /** Settles the current run. */
  finish: ((outcome: Outcome | { readonly error: FunctionError }) => void) | undefined;
}

/** An invocation without an environment. */
interface Waiting {
  readonly event: unknown;
  readonly settle: (run: Run) => void;
  readonly onBegin: ((computedMs: () => number) => void) | undefined;
}

/** A bundle that takes longer to load gets its event all the same, which then times out. Lambda allows INIT the same time. */
const maxInitMs = 10_000;

/** Each environment takes 40 MB. Lambda ends idle ones, too, after some minutes; all but one would wait for the next burst of events only. */
const defaultMaxIdleMs = 60_000;

/**
 * Semi-spaces of 8 MB: V8's default of 32 is memory that each of a dozen environments would fill before it is collected. In `npm start` and
 * `npm run dev` the option `--max-semi-space-size` in package.json decides, because V8 prefers it for all threads.
 */
const youngGenerationMb = 24;

/** The worker with its types stripped once, which costs 25 ms in each thread otherwise. */
const workerFile = (() => {
  const source = stripTypeScriptTypes(readFileSync(join(import.meta.dirname, 'worker.ts'), 'utf8'));
  const file = join(cache, `worker-${createHash('sha256').update(source).digest('hex').slice(0, 12)}.mjs`);
  if (!existsSync(file)) {
    mkdirSync(cache, { recursive: true });
    writeFileSync(`${file}.${process.pid}`, source);
    renameSync(`${file}.${process.pid}`, file);
  }
  return file;
})();

/** Makes the pool of one function; environments start on demand. Invocations wait until `release` if its bundle does not exist yet. */
export const startPool = (deployment: FunctionDeployment, options: PoolOptions): Pool => {
  const sandboxes = new Set<Sandbox>();
  const waiting: Waiting[] = [];
  let stopped = false;
  let isHeld = !existsSync(deployment.folder);
  let invokedAt = 0;
  let current = deployment.folder;
  let candidate: { readonly folder: string; readonly settled: (error?: FunctionError) => void } | undefined;

  const next = () => {
    if (isHeld) return;
    for (const sandbox of sandboxes) {
      if (waiting.length === 0) return;
      if (sandbox.ready && !sandbox.isOld && sandbox.finish === undefined) {
        const run = waiting.shift();
        if (run !== undefined) begin(sandbox, run);
      }
    }
    // One at a time: on few cores, threads that start together are all slower than one that runs already.
    const starting = [...sandboxes].some(({ ready }) => !ready);
    if (waiting.length > 0 && !starting && !stopped && sandboxes.size < options.limit) start();
  };

  const start = () => {
    const folder = candidate?.folder ?? current;
    const workerData: WorkerStart = {
      functionName: deployment.name,
      memoryMb: deployment.memoryMb,
      arn: arn('lambda', `function:${deployment.name}`),
      file: join(folder, deployment.module),
      export: deployment.export,
      logFile: options.logFile,
      compileCache,
    };
    const sessionToken = `${options.secret}.${randomUUID()}`;
    const worker = new Worker(workerFile, {
      name: deployment.name,
      workerData,
      env: { ...deployment.environment, ...options.environment, AWS_SESSION_TOKEN: sessionToken },
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: deployment.memoryMb, maxYoungGenerationSizeMb: youngGenerationMb },
    });
    const idle = setTimeout(() => {
      if (sandbox.finish !== undefined || !sandbox.ready || sandboxes.size === 1) return;
      sandboxes.delete(sandbox);
      void worker.terminate();
    }, options.maxIdleMs ?? defaultMaxIdleMs).unref();
    const sandbox: Sandbox = { worker, sessionToken, folder, ready: false, isOld: false, idle, finish: undefined };
    sandboxes.add(sandbox);
    const isLoaded = () => {
      clearTimeout(overdue);
      sandbox.ready = folder === current;
    };
    const overdue = setTimeout(() => {
      isLoaded();
      next();
    }, maxInitMs);
    worker.on('message', (message: Outcome | Loaded) => {
      if ('loaded' in message) {
        isLoaded();
        tried(sandbox, message.loaded);
      } else sandbox.finish?.(message);
      if (sandbox.isOld && sandbox.finish === undefined) void worker.terminate();
      next();
    });
    worker.on('error', (error) => {
      const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) };
      sandbox.finish?.({ error: { name, message } });
    });
    worker.on('exit', (code) => {
      const error = { name: 'Runtime.ExitError', message: `the runtime ended with code ${code}` };
      clearTimeout(overdue);
      clearTimeout(idle);
      sandboxes.delete(sandbox);
      sandbox.finish?.({ error });
      // Otherwise environments that end while they load would be started again and again.
      if (!sandbox.ready && !sandbox.isOld && folder === current && !stopped)
        waiting.shift()?.settle({ ok: false, error, ms: 0 });
      tried(sandbox, error);
      next();
    });
  };

  /** Uses or drops the new bundle after one environment has tried to load it; `result` is the error, or `true`. */
  const tried = (sandbox: Sandbox, result: true | FunctionError) => {
    if (sandbox.folder === current) return;
    if (sandbox.folder !== candidate?.folder) {
      sandbox.isOld = true;
      return;
    }
    const { folder, settled } = candidate;
    candidate = undefined;
    if (result === true) {
      current = folder;
      sandbox.ready = true;
    }
    for (const other of sandboxes)
      if (other.folder !== current) {
        other.isOld = true;
        if (other.finish === undefined) void other.worker.terminate();
      }
    settled(result === true ? undefined : result);
  };

  const begin = (sandbox: Sandbox, { event, settle, onBegin }: Waiting) => {
    const began = performance.now();
    onBegin?.(() => sandbox.worker.performance.eventLoopUtilization().active);
    const end = (error: FunctionError) => {
      sandboxes.delete(sandbox);
      sandbox.finish?.({ error });
      void sandbox.worker.terminate();
      next();
    };
    const overdue = setTimeout(() => {
      const seconds = (deployment.timeoutMs / 1000).toFixed(2);
      end({ name: 'Sandbox.Timedout', message: `Task timed out after ${seconds} seconds` });
    }, deployment.timeoutMs);
    sandbox.finish = (outcome) => {
      clearTimeout(overdue);
      sandbox.finish = undefined;
      sandbox.idle.refresh();
      options.onEnd(sandbox.sessionToken);
      const ms = performance.now() - began;
      settle('error' in outcome ? { ok: false, error: outcome.error, ms } : { ok: true, result: outcome.result, ms });
    };
    options.onBegin(sandbox.sessionToken, () =>
      end({ name: 'Runtime.ExitError', message: 'the environment was killed by an injected fault' }),
    );
    const deadline = Date.now() + deployment.timeoutMs;
    sandbox.worker.postMessage({ requestId: randomUUID(), event, deadline } satisfies Invocation);
  };

  return {
    invoke(event, onBegin) {
      if (stopped) return Promise.resolve(notRun);
      invokedAt = Date.now();
      return new Promise((settle) => {
        waiting.push({ event, settle, onBegin });
        next();
      });
    },
    warm() {
      if (sandboxes.size === 0 && !stopped) start();
    },
    cool() {
      for (const sandbox of sandboxes) {
        sandbox.isOld = true;
        if (sandbox.finish === undefined) void sandbox.worker.terminate();
      }
    },
    isWarm: () => sandboxes.size > 0,
    invokedAt: () => invokedAt,
    hold() {
      isHeld = true;
    },
    release() {
      isHeld = false;
      next();
    },
    folder: () => current,
    update(folder, settled) {
      candidate = { folder, settled };
      if (sandboxes.size > 0 && !stopped) start();
    },
    async stop() {
      stopped = true;
      for (const { settle } of waiting.splice(0)) settle(notRun);
      await Promise.all([...sandboxes].map(({ worker }) => worker.terminate()));
    },
  };
};

const notRun: Run = { ok: false, error: { name: 'Stopped', message: 'the stack is stopping' }, ms: 0 };
