/** Each fault of the simulated world alone: the product bears it, and only this fault reveals the mistake that stands for it. */
import { describe, expect, it } from 'vitest';
import { mutationOf } from './mutants.ts';
import { singleFaults } from './single-faults.ts';

describe.each(singleFaults)('$name', ({ run, mutant, ...own }) => {
  const mutate = mutationOf(mutant);

  it('break no promise', async () => {
    expect(await run()).toEqual([]);
  });

  it(`reveal that ${mutant.name}`, async () => {
    expect(await run(mutate)).not.toEqual([]);
  });

  it.each(singleFaults.filter(({ name }) => name !== own.name))(
    `are the only ones: $name do not reveal it`,
    async (other) => {
      expect(await other.run(mutate)).toEqual([]);
    },
  );
});
