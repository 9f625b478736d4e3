/**
 * The cold start of functions beside that of a handler which only makes the same clients and the same calls: INIT and the first event, each in
 * a process of its own with the share of a CPU of the function's memory, in turns. CPU times, which hardly depend on other work of the machine.
 */
import { pathToFileURL } from 'node:url';
import type { Workbench } from '../../../infra/commands/invoke/workbench.ts';
import { type ContractLine, contract, defaultMemoryMb, type FunctionName } from '../../../shared/contract.ts';
import { bareCalls, bundleBare } from './bare.ts';
import { startEnvironment } from './environment.ts';
import { isMailed, measureEach } from './measure-each.ts';
import type { Limiter } from './quota.ts';
import type { BareCall } from './repeatable.ts';
import { latencies } from './world.ts';

const lines: readonly ContractLine[] = contract;
/** Of each, in turns; the least CPU time counts, which other work disturbs least. Mails to the Owner are limited. */
const roundsOf = (name: string): number => (isMailed(name) ? 3 : 7);
/** A function with this memory in MB has one virtual CPU. */
const memoryOfOneCpu = 1769;

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

const measureOne = async (workbench: Workbench, name: FunctionName, limiter: Limiter): Promise<ColdFigures> => {
  const { file, environment } = workbench.bundleOf(name);
  const memoryMb = lines.find((line) => line.function === name)?.memoryMb ?? defaultMemoryMb;
  const start = async (module: string, event: unknown): Promise<Start> => {
    const { ready, run, end } = await startEnvironment({ name, file: module, environment }, memoryMb, limiter);
    try {
      return { initCpuMs: ready.initCpuMs, firstCpuMs: (await run(event)).cpuMs };
    } finally {
      await end();
    }
  };
  const startOwn = async (): Promise<Start & { readonly calls: readonly BareCall[]; readonly latencyMs: number }> => {
    const event = await workbench.sampleOf(name);
    const before = workbench.calls.length;
    const found = await start(pathToFileURL(file).href, event);
    const made = workbench.calls.slice(before);
    const latencyMs = made.reduce((sum, { call }) => sum + latencies[call.service], 0);
    return { ...found, calls: bareCalls(made), latencyMs };
  };
  // The first event of a stage also counts its webhooks, once.
  await startOwn();
  const first = await startOwn();
  const bundle = await bundleBare(name, first.calls);
  const [own, bare]: [Start[], Start[]] = [[], []];
  try {
    for (let round = 0; round < roundsOf(name); round++) {
      bare.push(await start(bundle.file, { calls: first.calls }));
      own.push(round === 0 ? first : await startOwn());
    }
  } finally {
    bundle.remove();
  }
  const least = (starts: readonly Start[]): Start => ({
    initCpuMs: Math.min(...starts.map((one) => one.initCpuMs)),
    firstCpuMs: Math.min(...starts.map((one) => one.firstCpuMs)),
  });
  const coldMs = ({ initCpuMs, firstCpuMs }: Start) =>
    initCpuMs + firstCpuMs * (memoryOfOneCpu / memoryMb) + first.latencyMs;
  const [ownStart, bareStart] = [least(own), least(bare)];
  const [ownMs, bareMs] = [coldMs(ownStart), coldMs(bareStart)];
  return { function: name, own: ownStart, bare: bareStart, ownMs, bareMs, ratio: ownMs / bareMs };
};

/** Yields the cold start of each function, or the reason why there is none. */
export const measureColdStarts = (names: readonly FunctionName[], limiter: Limiter) =>
  measureEach(names, limiter, measureOne);
