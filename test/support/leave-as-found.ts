/** Files share a process: each begins with its own modules, and its changes of the process are undone after it. */
import { afterAll, vi } from 'vitest';

/** Returns what files share and could change. Node.js and packages add functions when they are first used. */
const shared = (): ReadonlyMap<string, unknown> =>
  new Map<string, unknown>([
    ...Object.entries({ globalThis, Math, JSON, process, 'process.stdout': process.stdout }).flatMap(
      ([place, object]) =>
        Object.entries(Object.getOwnPropertyDescriptors(object))
          .filter(([name, { value }]) => typeof value === 'function' || name === 'env')
          .map(([name, { value }]) => [`${place}.${name}`, value] as const),
    ),
    ['process.cwd()', process.cwd()],
    ['process.umask()', process.umask()],
    ['process.exitCode', process.exitCode],
    ...process.eventNames().map((name) => [`the listeners of ${String(name)}`, process.listenerCount(name)] as const),
  ]);

/** What the CDK's copy of graceful-fs changes once, when it is loaded. */
const byCdk: ReadonlySet<string> = new Set(['process.chdir', 'process.cwd', 'the listeners of exit']);

// Modules read the environment when they are loaded.
vi.resetModules();
const found = shared();
const { env } = process;
const environment = { ...env };

afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  for (const name of Object.keys(env)) if (!(name in environment)) delete env[name];
  Object.assign(env, environment);
  const left = shared();
  const changed = [...new Set([...found.keys(), ...left.keys()])].filter(
    (name) => (found.has(name) || /listeners/.test(name)) && found.get(name) !== left.get(name) && !byCdk.has(name),
  );
  if (changed.length > 0) throw new Error(`Later files of this process would find changed: ${changed.join(', ')}.`);
});
