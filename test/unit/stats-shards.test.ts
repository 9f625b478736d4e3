/** How the counts of many functions spread over partitions, each of which accepts 1,000 writes a second. */
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { awsInMemory } from '../support/aws-in-memory.ts';
import { now } from '../support/deliver-in-memory.ts';
import { stopTime } from '../support/test-time.ts';

const store = join(import.meta.dirname, '../../shared/stats/store.ts');
const aws = awsInMemory();
Object.assign(process.env, aws.environment);
stopTime(now);

it('the counts of 10,000 publications a second overload no partition of the table', async () => {
  // One Lambda instance publishes about 50 single events a second.
  const environments = 200;
  const perEnvironment = 10_000 / environments;
  // The same random numbers in each run, with their clusters (Park and Miller's generator).
  let drawn = 20_261_124;
  vi.spyOn(Math, 'random').mockImplementation(() => {
    drawn = (drawn * 48_271) % 2_147_483_647;
    return drawn / 2_147_483_647;
  });
  const writes = new Map<string, number>();
  for (let environment = 0; environment < environments; environment++) {
    // Each environment has this module of its own, which chooses the shard.
    const { addCounts } = await import(/* @vite-ignore */ `${store}?${environment}`);
    await addCounts(now, new Map([['accepted', 1]]));
  }
  vi.restoreAllMocks();
  for (const { Key } of aws.requests('UpdateCommand')) writes.set(Key.pk, (writes.get(Key.pk) ?? 0) + perEnvironment);
  expect([...writes.values()].reduce((sum, one) => sum + one)).toBe(10_000);
  expect(Math.max(...writes.values())).toBeLessThan(1000);
});
