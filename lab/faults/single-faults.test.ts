/** Each fault of the simulated world alone: the product survives it, and only this fault reveals its example bug. */
import { describe, expect, it } from 'vitest';
import { mutationOf } from './mutants.ts';
import { singleFaults } from './single-faults.ts';

describe.each(singleFaults)('$name', ({ run, mutant, ...own }) => {
  const mutate = mutationOf(mutant);

  it('no promise is broken', async () => {
    expect(await run()).toEqual([]);
  });

  it(`the example bug is revealed: ${mutant.name}`, async () => {
    expect(await run(mutate)).not.toEqual([]);
  });

  it.each(singleFaults.filter(({ name }) => name !== own.name))(
    `another fault does not reveal the bug: $name`,
    async (other) => {
      expect(await other.run(mutate)).toEqual([]);
    },
  );
});
