/** Starts the embedded parts with a table that is compared with another one; `dynamodb.ts` reads the differences. */
import { writeFileSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { startDynoxide } from '../../infra/emulator/parts/dynoxide.ts';
import parts from '../mutation/parts.ts';
import { startComparison } from './compare.ts';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { COMPARE_WITH = '', COMPARE_FILE = '' } = process.env;
  const embedded = await startDynoxide();
  const comparison = await startComparison(embedded.url, COMPARE_WITH);
  process.env.DYNAMODB_ENDPOINT = comparison.url;
  const end = await parts(project);
  return async () => {
    writeFileSync(COMPARE_FILE, JSON.stringify(comparison.read()));
    await end();
    comparison.stop();
    await embedded.stop();
  };
}
