/**
 * Runs in a worker thread, as Lambda's runtime does: imports a bundle and calls its handler, one event at a time.
 * `environment.ts` starts it without its types, so it imports only Node's modules.
 */
import { existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import { enableCompileCache, flushCompileCache, SourceMap } from 'node:module';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';

export interface WorkerStart {
  readonly functionName: string;
  readonly arn: string;
  readonly memoryMb: number;
  readonly file: string;
  readonly export: string;
  readonly logFile: string;
  readonly compileCache: string;
}

export interface Invocation {
  readonly requestId: string;
  readonly event: unknown;
  /** The end of the timeout, in epoch ms. */
  readonly deadline: number;
}

/** Sent once, when the bundle was imported: `true`, or the error that it threw. */
export interface Loaded {
  readonly loaded: true | { readonly name: string; readonly message: string; readonly stack: string };
}

export type Outcome =
  | { readonly result: unknown }
  | { readonly error: { readonly name: string; readonly message: string; readonly stack: string } };

const start: WorkerStart = workerData;
const bundle = pathToFileURL(start.file).href;
const port = parentPort;
if (port === null) throw new Error('worker.ts runs in a worker thread only');

// Directly to the file: through the main thread, each line would cost a message.
const log = openSync(start.logFile, 'a');
for (const stream of [process.stdout, process.stderr])
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    writeSync(log, inSource(typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk)));
    const done = rest.at(-1);
    if (typeof done === 'function') done();
    return true;
  };

const failure = (error: unknown) => ({
  error:
    error instanceof Error
      ? { name: error.name, message: error.message, stack: inSource(error.stack ?? '') }
      : { name: 'Error', message: String(error), stack: '' },
});

/** Names places in the source in logged stack traces. Only then, because the map of a bundle takes 13 MB. */
const inSource = (text: string): string =>
  text.includes(bundle)
    ? text.replaceAll(/(file:[^\s"]*?):(\d+):(\d+)/g, (found, file: string, line: string, column: string) => {
        if (file !== bundle) return found;
        const origin = sourceMap().findOrigin(Number(line), Number(column));
        if (!('fileName' in origin)) return found;
        return `${new URL(origin.fileName, bundle).href}:${origin.lineNumber}:${origin.columnNumber}`;
      })
    : text;

let map: SourceMap | undefined;
const sourceMap = (): SourceMap => {
  map ??= new SourceMap(
    existsSync(`${start.file}.map`) ? JSON.parse(readFileSync(`${start.file}.map`, 'utf8')) : noMap,
  );
  return map;
};

const noMap = { version: 3, file: '', sources: [], sourcesContent: [], names: [], mappings: '', sourceRoot: '' };

enableCompileCache(start.compileCache);
const handler = import(bundle).then((module) => module[start.export]);
// A bundle that does not load fails every invocation, and must not end the thread before the first one.
handler.then(
  () => port.postMessage({ loaded: true } satisfies Loaded),
  (error: unknown) => port.postMessage({ loaded: failure(error).error } satisfies Loaded),
);

let isFirst = true;
port.on('message', async ({ requestId, event, deadline }: Invocation) => {
  let outcome: Outcome;
  try {
    const handle = await handler;
    outcome = { result: await handle(event, context(requestId, deadline)) };
  } catch (error) {
    outcome = failure(error);
    console.log(JSON.stringify({ level: 'ERROR', function: start.functionName, requestId, ...outcome }));
  }
  port.postMessage(outcome);
  // V8 compiles functions on their first call, so the cache contains what an invocation needs only now.
  if (isFirst) setImmediate(flushCompileCache);
  isFirst = false;
});

const context = (awsRequestId: string, deadline: number) => ({
  awsRequestId,
  callbackWaitsForEmptyEventLoop: false,
  functionName: start.functionName,
  functionVersion: '$LATEST',
  invokedFunctionArn: start.arn,
  memoryLimitInMB: String(start.memoryMb),
  logGroupName: start.functionName,
  logStreamName: 'local',
  getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
});
