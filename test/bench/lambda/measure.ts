/** Measures one function at one memory size, in an environment of its own. */
import { fork } from 'node:child_process';
import { on, once } from 'node:events';
import { join } from 'node:path';
import { type ContractLine, contract } from '../../../shared/contract.ts';
import { quantile } from '../figures.ts';
import type { Limiter } from './quota.ts';
import type { Job, Report } from './sandbox.ts';
import type { Goal, Scenario } from './scenarios.ts';
import type { World } from './world.ts';

export interface Figures {
  readonly function: string;
  readonly event: string;
  readonly memoryMb: number;
  /** Loading the bundle, with a full CPU. */
  readonly initMs: number;
  /** The first event, with the size's share of a CPU. */
  readonly firstMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly meanMs: number;
  /** CPU time of a warm invocation. */
  readonly cpuMs: number;
  readonly perSecond: number;
  /** The most that the process had resident. */
  readonly rssMb: number;
  /** US dollars for a million warm invocations. */
  readonly usdPerMillion: number;
  readonly isGoalMet: boolean;
}

/** Prices of Lambda on Arm in us-east-1, as in docs/cost.md: a GB second, and a million requests. */
const usdPerGbSecond = 0.0000133334;
const usdPerMillionRequests = 0.2;
/** Invocations before those that count as warm. */
const warmUps = 5;

const lines: readonly ContractLine[] = contract;

/** @throws Error where the function fails */
export const measure = async (
  world: World,
  { function: name, event: described, invocations, units, goal }: Scenario,
  nextEvent: () => object | Promise<object>,
  memoryMb: number,
  limiter: Limiter,
): Promise<Figures> => {
  const child = fork(join(import.meta.dirname, 'sandbox.ts'), [world.fileOf(name)], {
    env: {
      PATH: process.env.PATH ?? '',
      ...world.environment,
      METRICS_NAMESPACE: 'Masthead',
      NODE_OPTIONS: '--disable-warning=ExperimentalWarning',
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const quota = limiter.quotaOf(memoryMb);
  const seconds = lines.find((line) => line.function === name)?.timeoutSeconds ?? 10;
  const reports = on(child, 'message', { close: ['exit'] });
  const reported = async (): Promise<Report> => {
    const { value, done } = await reports.next();
    if (done) throw new Error(`The environment of ${name} at ${memoryMb} MB ended.`);
    return value[0];
  };
  const run = async () => {
    world.setLatency(false);
    const event = await nextEvent();
    world.setLatency(true);
    child.send({ event, seconds } satisfies Job);
    const report = await reported();
    if (report.kind !== 'done' || report.error !== undefined)
      throw new Error(`${name} at ${memoryMb} MB failed: ${JSON.stringify(report)}`);
    return report;
  };
  try {
    const ready = await reported();
    if (ready.kind !== 'ready') throw new Error(`${name} did not start.`);
    quota.limit(child.pid ?? 0);
    const first = await run();
    for (let warmUp = 0; warmUp < Math.min(warmUps, invocations); warmUp++) await run();
    const warm = [];
    for (let count = 0; count < invocations; count++) warm.push(await run());
    const times = warm.map(({ ms }) => ms);
    const meanMs = mean(times);
    const p99Ms = quantile(times, 0.99);
    const perSecond = (units * 1000) / meanMs;
    return {
      function: name,
      event: described,
      memoryMb,
      initMs: ready.initMs,
      firstMs: first.ms,
      p50Ms: quantile(times, 0.5),
      p99Ms,
      meanMs,
      cpuMs: mean(warm.map(({ cpuMs }) => cpuMs)),
      perSecond,
      rssMb: Math.max(first.rssMb, ...warm.map(({ rssMb }) => rssMb)),
      usdPerMillion: Math.ceil(meanMs) * 1000 * (memoryMb / 1024) * usdPerGbSecond + usdPerMillionRequests,
      isGoalMet: meets(goal, { p99Ms, coldMs: ready.initMs + first.ms, perSecond }),
    };
  } finally {
    const gone = child.exitCode === null ? once(child, 'exit') : undefined;
    child.kill('SIGKILL');
    await gone;
    quota.remove();
  }
};

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

const meets = (goal: Goal, found: { p99Ms: number; coldMs: number; perSecond: number }): boolean =>
  'p99Ms' in goal ? found.p99Ms <= goal.p99Ms && found.coldMs <= goal.coldMs : found.perSecond >= goal.perSecond;
