/**
 * The cold start of functions, compared with that of a handler which only makes the same clients and the same calls. INIT and the first event run in
 * a new process each, in turns, with the CPU share of the function's memory. Measured as CPU time, which hardly depends on the machine's other load.
 */
import { pathToFileURL } from 'node:url';
import type { Workbench } from '../../../infra/local/invoke/workbench.ts';
import type { FunctionName } from '../../../shared/contract.ts';
import { cpusOf, memoryOf } from '../../../test/support/function-memory.ts';
import { bareCalls, bundleBare } from './bare.ts';
import { startEnvironment } from './environment.ts';
import { type Failure, failureOf, isMailed, measureGroups } from './measure-each.ts';
import type { Limiter } from './quota.ts';
import { latencies } from './world.ts';

/**
 * Rounds of each handler, in turns. The smallest CPU time counts, because it was disturbed least. Functions that mail the Owner get fewer rounds:
 * those mails are limited.
 */
const [allRounds, mailedRounds] = [8, 3];

/** CPU times of a handler's INIT and first event. */
interface Start {
  readonly initCpuMs: number;
  readonly firstCpuMs: number;
}

export interface ColdFigures {
  readonly function: string;
  readonly own: Start;
  readonly bare: Start;
  /** INIT and the first event in ms, plus the latency of its calls, one after the other. */
  readonly ownMs: number;
  readonly bareMs: number;
  readonly ratio: number;
}

/** A function whose calls are known, with the results of its rounds. */
interface Measuring {
  readonly name: FunctionName;
  readonly memoryMb: number;
  readonly latencyMs: number;
  readonly own: Start[];
  readonly bare: Start[];
  readonly measureRound: () => Promise<void>;
  readonly end: () => void;
}

const prepare = async (workbench: Workbench, name: FunctionName, limiter: Limiter): Promise<Measuring> => {
  const { file, environment } = workbench.bundleOf(name);
  const memoryMb = memoryOf(name);
  const start = async (module: string, event: unknown): Promise<Start> => {
    const { ready, run, end } = await startEnvironment({ name, file: module, environment }, memoryMb, limiter);
    try {
      return { initCpuMs: ready.initCpuMs, firstCpuMs: (await run(event)).cpuMs };
    } finally {
      await end();
    }
  };
  const startOwn = async () => start(pathToFileURL(file).href, await workbench.sampleOf(name));
  // Run it once before measuring: the first event of a stage also counts its webhooks.
  await startOwn();
  const event = await workbench.sampleOf(name);
  const before = workbench.calls.length;
  // Measure this event now: later rounds may find more in the table.
  const own = [await start(pathToFileURL(file).href, event)];
  const made = workbench.calls.slice(before);
  const calls = bareCalls(made);
  const bundle = await bundleBare(name, calls);
  const bare = [await start(bundle.file, { calls })];
  return {
    name,
    memoryMb,
    latencyMs: made.reduce((sum, { call }) => sum + latencies[call.service], 0),
    own,
    bare,
    async measureRound() {
      bare.push(await start(bundle.file, { calls }));
      own.push(await startOwn());
    },
    end: () => bundle.remove(),
  };
};

const figuresOf = ({ name, memoryMb, latencyMs, own, bare }: Measuring): ColdFigures => {
  const least = (starts: readonly Start[]): Start => ({
    initCpuMs: Math.min(...starts.map((one) => one.initCpuMs)),
    firstCpuMs: Math.min(...starts.map((one) => one.firstCpuMs)),
  });
  const coldMs = ({ initCpuMs, firstCpuMs }: Start) => initCpuMs + firstCpuMs / cpusOf(memoryMb) + latencyMs;
  const [ownStart, bareStart] = [least(own), least(bare)];
  const [ownMs, bareMs] = [coldMs(ownStart), coldMs(bareStart)];
  return { function: name, own: ownStart, bare: bareStart, ownMs, bareMs, ratio: ownMs / bareMs };
};

/**
 * Yields the cold start of each function, or the reason why there is none. Each round covers all functions, so that a slow minute of the machine
 * does not affect all rounds of one function.
 */
export const measureColdStarts = (
  names: readonly FunctionName[],
  limiter: Limiter,
): AsyncGenerator<ColdFigures | Failure> =>
  measureGroups(names, async function* (workbench, group) {
    const measuring: Measuring[] = [];
    const failures = new Map<FunctionName, Failure>();
    /** Runs one step of a function's measurement, unless an earlier step has failed. */
    const attempt = async (name: FunctionName, run: () => Promise<unknown>) => {
      if (!failures.has(name)) await run().catch((error: unknown) => failures.set(name, failureOf(name, error)));
    };
    try {
      for (const name of group)
        await attempt(name, async () => measuring.push(await prepare(workbench, name, limiter)));
      const rounds = group.some(isMailed) ? mailedRounds : allRounds;
      for (let round = 1; round < rounds; round++)
        for (const { name, measureRound } of measuring) await attempt(name, measureRound);
      yield* measuring.filter(({ name }) => !failures.has(name)).map(figuresOf);
      yield* failures.values();
    } finally {
      for (const { end } of measuring) end();
    }
  });
