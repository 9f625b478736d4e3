/** Starts the embedded parts once for each process that runs tests on mutants. */
import { rmSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { startParts } from '../../test/support/parts-setup.ts';

/** The `globalSetup` of the mutation tests. It makes no report on grants, which would need a run of all tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { template, stop } = await startParts(project);
  return async () => {
    await stop();
    rmSync(template.usageFolder, { recursive: true, force: true });
  };
}
