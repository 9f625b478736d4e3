/**
 * The CPU time of every function with its sample event of test/events, in its own environment with the CPU share of 512 MB.
 * CPU time hardly depends on the machine's other load; the duration of a request on AWS is calculated from it.
 */
import { pathToFileURL } from 'node:url';
import type { ObservedCall, Workbench } from '../../../infra/local/invoke/workbench.ts';
import type { FunctionName } from '../../../shared/contract.ts';
import { cpusOf } from '../../../test/support/function-memory.ts';
import { type Done, startEnvironment } from './environment.ts';
import { usdPerMillion } from './measure.ts';
import { isMailed, measureEach } from './measure-each.ts';
import type { Limiter } from './quota.ts';
import { latencies } from './world.ts';

export const sampleMemoryMb = 512;
/** Events before the warm ones that count. */
const warmUps = 2;
const invocations = 5;
const invocationsOf = (name: string): number => (isMailed(name) ? 2 : invocations);

export interface SampleFigures {
  readonly function: string;
  /** CPU time of loading the bundle, of the first event and of a warm event. */
  readonly initCpuMs: number;
  readonly firstCpuMs: number;
  readonly cpuMs: number;
  /** Calls to AWS services in a warm event. */
  readonly calls: number;
  /** Calculated for this memory: CPU time ÷ share of a CPU, plus the latency of the calls one after the other. */
  readonly coldMs: number;
  readonly warmMs: number;
  /** The same, for another memory size in MB. */
  readonly coldMsAt: (memoryMb: number) => number;
  readonly rssMb: number;
  readonly usdPerMillion: number;
}

interface Sample extends Done {
  readonly made: readonly ObservedCall[];
}

const measureOne = async (workbench: Workbench, name: string, limiter: Limiter): Promise<SampleFigures> => {
  const { file, environment } = workbench.bundleOf(name);
  const bundle = { name, file: pathToFileURL(file).href, environment };
  const { ready, run, end } = await startEnvironment(bundle, sampleMemoryMb, limiter);
  const runSample = async (): Promise<Sample> => {
    const event = await workbench.sampleOf(name);
    const before = workbench.calls.length;
    const done = await run(event);
    return { ...done, made: workbench.calls.slice(before) };
  };
  try {
    const first = await runSample();
    for (let warmUp = 0; warmUp < warmUps; warmUp++) await runSample();
    const warm: Sample[] = [];
    for (let count = 0; count < invocationsOf(name); count++) warm.push(await runSample());
    const mean = (pick: (one: Sample) => number) => warm.reduce((sum, one) => sum + pick(one), 0) / warm.length;
    const latencyOf = ({ made }: Sample) => made.reduce((sum, { call }) => sum + latencies[call.service], 0);
    const cpuMs = mean((one) => one.cpuMs);
    const warmMs = cpuMs / cpusOf(sampleMemoryMb) + mean(latencyOf);
    const coldMsAt = (memoryMb: number) => ready.initCpuMs + first.cpuMs / cpusOf(memoryMb) + latencyOf(first);
    return {
      function: name,
      initCpuMs: ready.initCpuMs,
      firstCpuMs: first.cpuMs,
      cpuMs,
      calls: mean(({ made }) => made.length),
      coldMs: coldMsAt(sampleMemoryMb),
      warmMs,
      coldMsAt,
      rssMb: Math.max(first.rssMb, ...warm.map(({ rssMb }) => rssMb)),
      usdPerMillion: usdPerMillion(warmMs, sampleMemoryMb),
    };
  } finally {
    await end();
  }
};

/** Yields the figures of each function, or the reason why there are none. */
export const measureSamples = (names: readonly FunctionName[], limiter: Limiter) =>
  measureEach(names, (workbench, name) => measureOne(workbench, name, limiter));
