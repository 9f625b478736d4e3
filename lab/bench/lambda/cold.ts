/**
 * The cold start of functions beside that of a handler which only makes the same clients and the same calls: INIT and the first event, each in
 * a process of its own with the share of a CPU of the function's memory, in turns. CPU times, which hardly depend on other work of the machine.
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

/** Of each, in turns; the least CPU time counts, which other work disturbs least. Mails to the Owner are limited. */
const [allRounds, mailedRounds] = [8, 3];

/** A handler's INIT and first event. */
interface Start {
  readonly initCpuMs: number;
  readonly firstCpuMs: number;
}

export interface ColdFigures {
  readonly function: string;
  readonly own: Start;
  readonly bare: Start;
  /** INIT and first event, with the latency of the calls, one after the other. */
  readonly ownMs: number;
  readonly bareMs: number;
  readonly ratio: number;
}

/** A function whose calls are known, with what its rounds have measured. */
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
  // The first event of a stage also counts its webhooks, once.
  await startOwn();
  const event = await workbench.sampleOf(name);
  const before = workbench.calls.length;
  // What later rounds find in the table can be more.
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
 * Yields the cold start of each function, or the reason why there is none. Each round measures all functions, so that a slow minute of the machine is
 * not all that is known of one of them.
 */
export const measureColdStarts = (
  names: readonly FunctionName[],
  limiter: Limiter,
): AsyncGenerator<ColdFigures | Failure> =>
  measureGroups(names, async function* (workbench, group) {
    const measuring: Measuring[] = [];
    const failures = new Map<FunctionName, Failure>();
    /** Runs a part of the measurement of a function, which ends with its first error. */
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
