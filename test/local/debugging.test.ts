/** A debugger stops a function in its TypeScript source, and stack traces in the log name it (docs/debugging.md). */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector';
import { SourceMap } from 'node:module';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseStage } from '../../infra/cdk/parse-stage.ts';
import { root } from '../../infra/cdk/root.ts';
import { stages } from '../../infra/cdk/stages.ts';
import { eventOf } from '../../infra/emulator/gateway/event.ts';
import { type Pool, startPool } from '../../infra/emulator/lambda/pool.ts';
import { devBundles } from '../../infra/local/dev/bundles.ts';

const cache = join(root, 'node_modules/.cache/masthead');
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, 'debugging-test-'));
const logFile = join(folder, 'functions.log');
let bundle: string;
let pool: Pool;
beforeAll(async () => {
  const built = await devBundles(join(folder, 'bundles')).build(['fallback/answer']);
  bundle = join(built.get('fallback/answer') ?? '', 'index.mjs');
  pool = startPool(
    {
      name: 'masthead-local-fallback-answer',
      folder: join(bundle, '..'),
      module: 'index.mjs',
      export: 'handler',
      timeoutMs: 60_000,
      memoryMb: 512,
      description: '',
      environment: {
        BASE_URL: 'http://127.0.0.1:3368/ghost/api',
        SETTINGS: JSON.stringify(parseStage('local', stages.local).settings),
        SERVICE_NAME: 'masthead-local',
      },
    },
    { limit: 1, logFile, secret: 'secret', environment: {}, onBegin() {}, onEnd() {} },
  );
});
afterAll(async () => {
  await pool.stop();
  rmSync(folder, { recursive: true, force: true });
});

const request = () =>
  eventOf(
    { method: 'GET', url: '/ghost/api/nothing/', headers: [['Host', '127.0.0.1']], body: null, sourceIp: '127.0.0.1' },
    { resource: '/{proxy+}', pathParameters: null },
    'local',
  );

const source = 'functions/fallback/answer.ts';
const mapOf = () => new SourceMap(JSON.parse(readFileSync(`${bundle}.map`, 'utf8')));

/** Returns file and line of the source, from 1, for a place in the bundle, from 0. */
const original = (map: SourceMap, line: number, column: number): string | undefined => {
  const entry = map.findEntry(line, column);
  if (!('originalSource' in entry)) return undefined;
  return `${relative(root, join(bundle, '..', entry.originalSource))}:${entry.originalLine + 1}`;
};

/** Returns the place in the bundle of a line of the source, as a debugger finds it. */
const generated = (map: SourceMap, wanted: string) => {
  const lines = readFileSync(bundle, 'utf8').split('\n');
  const lineNumber = lines.findIndex((text, line) => original(map, line, text.search(/\S|$/)) === wanted);
  return { lineNumber, columnNumber: lines[lineNumber]?.search(/\S/) ?? 0 };
};

it('a debugger stops at a breakpoint in a TypeScript file', async () => {
  // Given a debugger that is attached to the process, and through it to the thread of the function
  const session = new Session();
  session.connect();
  const post = (method: string, params: object) =>
    new Promise<void>((resolve, reject) =>
      session.post(method, params, (error) => (error === null ? resolve() : reject(error))),
    );
  const transcript: string[] = [];
  const attached = Promise.withResolvers<string>();
  // biome-ignore lint/suspicious/noExplicitAny: messages of the inspector protocol
  const waiting = new Map<string | number, (message: any) => void>();
  session.on('NodeWorker.attachedToWorker', ({ params }) => attached.resolve(params.sessionId));
  session.on('NodeWorker.receivedMessageFromWorker', ({ params }) => {
    const message = JSON.parse(params.message);
    waiting.get(message.id ?? message.method)?.(message.result ?? message.params);
  });
  await post('NodeWorker.enable', { waitForDebuggerOnStart: true });
  let sent = 0;
  const running = pool.invoke(request());
  const sessionId = await attached.promise;
  // biome-ignore lint/suspicious/noExplicitAny: answers of the inspector protocol
  const send = (method: string, params: object = {}): Promise<any> =>
    new Promise((resolve) => {
      const id = ++sent;
      waiting.set(id, resolve);
      void post('NodeWorker.sendMessageToWorker', { sessionId, message: JSON.stringify({ id, method, params }) });
    });
  const map = mapOf();
  const line =
    readFileSync(join(root, source), 'utf8')
      .split('\n')
      .findIndex((text) => text.includes('const { method, headers }')) + 1;
  await send('Debugger.enable');
  await send('Debugger.setBreakpointByUrl', {
    url: pathToFileURL(bundle).href,
    ...generated(map, `${source}:${line}`),
  });
  transcript.push(`breakpoint set at ${source}:${line}`);
  // When the function runs
  const nextPause = () =>
    // biome-ignore lint/suspicious/noExplicitAny: events of the inspector protocol
    new Promise<any>((resolve) => waiting.set('Debugger.paused', resolve));
  let paused = nextPause();
  await send('Runtime.runIfWaitingForDebugger');
  let { callFrames, hitBreakpoints } = await paused;
  // A thread that waited for the debugger stops at its own first line.
  while (hitBreakpoints.length === 0) {
    paused = nextPause();
    await send('Debugger.resume');
    ({ callFrames, hitBreakpoints } = await paused);
  }
  const { location, callFrameId } = callFrames[0];
  const place = original(map, location.lineNumber, location.columnNumber);
  transcript.push(`paused at ${place}`);
  const { result } = await send('Debugger.evaluateOnCallFrame', { callFrameId, expression: 'request.path' });
  transcript.push(`request.path is ${JSON.stringify(result.value)}`);
  await send('Debugger.resume');
  const run = await running;
  transcript.push(`resumed: ${JSON.stringify(run.ok ? Reflect.get(Object(run.result), 'statusCode') : run.error)}`);
  session.disconnect();
  // Then
  expect(transcript).toEqual([
    `breakpoint set at ${source}:${line}`,
    `paused at ${source}:${line}`,
    'request.path is "/ghost/api/nothing/"',
    'resumed: 404',
  ]);
});

it('a stack trace in the log names files and lines of the source', async () => {
  const broken = startPool(
    {
      name: 'masthead-local-fallback-answer',
      folder: join(bundle, '..'),
      module: 'index.mjs',
      export: 'handler',
      timeoutMs: 60_000,
      memoryMb: 512,
      description: '',
      environment: { SETTINGS: '{', BASE_URL: 'http://127.0.0.1:3368/ghost/api' },
    },
    { limit: 1, logFile, secret: 'secret', environment: {}, onBegin() {}, onEnd() {} },
  );
  expect(await broken.invoke(request())).toMatchObject({ ok: false });
  await broken.stop();
  expect(readFileSync(logFile, 'utf8')).toMatch(/shared\/foundation\/environment\.ts:\d+:\d+/);
});
