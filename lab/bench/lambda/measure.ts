/** Measures one function at one memory size, in its own environment. */
import { costOf, priceList } from '../../cost/price.ts';
import { quantile } from '../statistics.ts';
import { startEnvironment } from './environment.ts';
import type { Limiter } from './quota.ts';
import type { Goal, Scenario } from './scenarios.ts';
import type { World } from './world.ts';

export interface Figures {
  readonly function: string;
  readonly event: string;
  readonly memoryMb: number;
  /** INIT: loading the bundle, with a full CPU. */
  readonly initMs: number;
  /** The first event, with the size's share of a CPU. */
  readonly firstMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly meanMs: number;
  /** CPU time of a warm invocation. */
  readonly cpuMs: number;
  readonly perSecond: number;
  /** The highest resident memory of the process. */
  readonly rssMb: number;
  /** US dollars for a million warm invocations. */
  readonly usdPerMillion: number;
  readonly isGoalMet: boolean;
}

const prices = priceList('us-east-1');

/** Returns the price in US dollars of a million invocations of `ms` milliseconds on Arm in us-east-1. */
export const usdPerMillion = (ms: number, memoryMb: number): number =>
  costOf(prices, 'functionGbSeconds', Math.ceil(ms) * 1000 * (memoryMb / 1024)) +
  costOf(prices, 'functionRequests', 1_000_000);

/** Invocations before the warm ones that count. */
const warmUps = 5;

/**
 * Measures a scenario. Only posted deliveries count, because an environment with little memory moves some to the slow lane.
 * @throws Error if the function fails, or posts no delivery, which would mean that all of them had been recorded before
 */
export const measure = async (
  world: World,
  { function: name, event: described, invocations, units, unit, goal }: Scenario,
  nextEvent: () => object | Promise<object>,
  memoryMb: number,
  limiter: Limiter,
): Promise<Figures> => {
  const {
    ready,
    end,
    run: runEvent,
  } = await startEnvironment({ name, file: world.fileOf(name), environment: world.environment }, memoryMb, limiter);
  const run = async () => {
    world.setLatency(false);
    const event = await nextEvent();
    world.setLatency(true);
    return runEvent(event);
  };
  try {
    const received = world.received();
    const first = await run();
    const notCounted = Math.min(warmUps, invocations);
    for (let warmUp = 0; warmUp < notCounted; warmUp++) await run();
    const warm = [];
    for (let count = 0; count < invocations; count++) warm.push(await run());
    const posted = (world.received() - received) / (1 + notCounted + invocations);
    if (unit === 'deliveries' && posted === 0) throw new Error(`${name} posted no delivery.`);
    const times = warm.map(({ ms }) => ms);
    const meanMs = mean(times);
    const p99Ms = quantile(times, 0.99);
    const perSecond = ((unit === 'deliveries' ? posted : units) * 1000) / meanMs;
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
      usdPerMillion: usdPerMillion(meanMs, memoryMb),
      isGoalMet: meets(goal, { p99Ms, coldMs: ready.initMs + first.ms, perSecond }),
    };
  } finally {
    await end();
  }
};

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

const meets = (goal: Goal, found: { p99Ms: number; coldMs: number; perSecond: number }): boolean =>
  'p99Ms' in goal ? found.p99Ms <= goal.p99Ms && found.coldMs <= goal.coldMs : found.perSecond >= goal.perSecond;
