/** The scope of mutation testing must name existing files, also after files move. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesToMutate, parts, testsOf } from './scope.ts';

const root = join(import.meta.dirname, '../..');

describe.each(parts)('the part $name', (part) => {
  it('has files to mutate and tests for them, so every glob of lab/mutation/scope.ts matches', () => {
    expect(filesToMutate(part, root).length).toBeGreaterThan(0);
    expect(testsOf(part, root).length).toBeGreaterThan(0);
  });
});

it('every file is mutated in only one part', () => {
  const files = parts.flatMap((part) => filesToMutate(part, root));
  expect(files).toEqual([...new Set(files)]);
});

it('a run can be limited to the files of a glob or to one file', () => {
  const mutated = (glob: string) => parts.flatMap((part) => filesToMutate(part, root, glob));
  expect(mutated('shared/table/item.ts')).toEqual(['shared/table/item.ts']);
  expect(mutated('shared/{table/item,http/paging}.ts').sort()).toEqual([
    'shared/http/paging.ts',
    'shared/table/item.ts',
  ]);
  expect(mutated('shared/nothing/*')).toEqual([]);
});
