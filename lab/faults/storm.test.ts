/** The functions under faults in a simulated world lose and repeat no delivery (`npm --prefix lab run simulate`). */
import { describe, expect, it } from 'vitest';
import type { Mutate } from '../world/bundle.ts';
import { mutants, mutationOf } from './mutants.ts';
import { missed } from './scenarios/scenario.ts';
import { storm } from './scenarios/storm.ts';

describe('deliveries in a storm of kills, duplicates, failed requests and changes by customers', () => {
  it.each([7, 1848])('arrive, and none is sent again after its success was recorded (seed %i)', async (seed) => {
    const report = await storm({ seed, deliveries: 600, large: 1 });
    expect(report.examples).toEqual([]);
    expect(missed(report)).toEqual([]);
    const { killed = 0, posts = 0, withOptions = 0, underThrottle = 0, deliveries = 0 } = report.figures;
    // Checks that the faults did occur.
    expect(deliveries).toBeGreaterThan(500);
    expect(killed).toBeGreaterThan(100);
    expect(withOptions).toBeGreaterThan(50);
    expect(underThrottle).toBeGreaterThan(50);
    expect(posts).toBeGreaterThan(deliveries);
  });
});

describe('a simulated world', () => {
  it('leaves no real timer, not even of killed invocations, because its callback would change the world', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const before = timers();
    const { figures } = await storm({ seed: 7, deliveries: 100 });
    expect(figures.killed).toBeGreaterThan(10);
    // The test runner's own timers come and go; simulated timers would be forty more.
    expect(timers()).toBeLessThanOrEqual(before + 2);
  });
});

describe('a mistake in the product is detected', () => {
  /** Returns the gates that the first failing world has missed. */
  const noticedIn = async (mutate?: Mutate): Promise<readonly string[]> => {
    // More duplicates would multiply while a delivery waits for its turn, because each of them is sent again.
    const weather = { doubled: 0.25, killed: 0.02, reordered: 0.5, refused: 0, throttled: 0 };
    const options = { deliveries: 400, subscribers: 30, outageMinutes: 0, flaky: 0.5, weather, untilNoticed: true };
    for (const seed of [4, 5, 6]) {
      const misses = missed(await storm({ seed, ...options, mutate }));
      if (misses.length > 0) return misses;
    }
    return [];
  };

  it.each(mutants)('$name', async (mutant) => {
    expect(await noticedIn(mutationOf(mutant))).not.toEqual([]);
  });

  it('and nothing is detected in the unchanged product', async () => {
    expect(await noticedIn()).toEqual([]);
  });
});
