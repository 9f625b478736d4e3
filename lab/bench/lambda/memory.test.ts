/** The memory of each function is the one that `npm --prefix lab run bench:lambda` recommends (lab/reports/lambda.md). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ContractLine, contract, defaultMemoryMb } from '../../../shared/contract.ts';

const lines: readonly ContractLine[] = contract;
const page = readFileSync(join(import.meta.dirname, '../../reports/lambda.md'), 'utf8');

/** The rows of the table, with patterns such as `openapi/*`; the first row is for endpoints that no other row names. */
const recommended = page
  .slice(page.indexOf('## Recommendation'), page.indexOf('## Figures'))
  .split('\n')
  .flatMap((row) => {
    const [, functions = '', mb = ''] = row.split('|').map((cell) => cell.trim());
    const memoryMb = Number(/^\d+/.exec(mb)?.[0]);
    const patterns = [...functions.matchAll(/`([^`]+)`/g)].map(([, pattern = '']) => pattern);
    return Number.isNaN(memoryMb) ? [] : [{ patterns, memoryMb }];
  });

const recommendedFor = ({ function: name, kind }: ContractLine): number | undefined => {
  const named = recommended.find(({ patterns }) =>
    patterns.some((pattern) => (pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern)),
  );
  const ofEndpoints = recommended.find(({ patterns }) => patterns.length === 0);
  return (named ?? (kind === 'endpoint' ? ofEndpoints : undefined))?.memoryMb;
};

describe.each(lines)('the memory of $function', (line) => {
  it('is the recommended memory', () => {
    expect(line.memoryMb ?? defaultMemoryMb).toBe(recommendedFor(line));
  });
});
