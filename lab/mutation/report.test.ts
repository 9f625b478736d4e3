/** The report of mutation testing: its scores, and the explanations of survivors. */
import type { schema } from '@stryker-mutator/api/core';
import { describe, expect, it } from 'vitest';
import { reasonToIgnore } from './ignored.ts';
import { filesIn, outdated, type PartResult, pageOf, tableOf, unexplained } from './report.ts';

const source = ['const a = x > 0 && y;', 'const b = [', '  1,', '];'].join('\n');

/** Returns a mutant that replaces this piece of the source. */
const mutantOf = (piece: string, replacement: string, status: schema.MutantStatus): schema.MutantResult => {
  const at = (offset: number) => {
    const before = source.slice(0, offset).split('\n');
    return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
  };
  const start = source.indexOf(piece);
  return {
    id: `${piece} ${replacement}`,
    mutatorName: '',
    location: { start: at(start), end: at(start + piece.length) },
    replacement,
    status,
  };
};

const run = (...mutants: schema.MutantResult[]): PartResult[] => [
  { revision: 'abc1234', files: { 'shared/a.ts': { language: 'typescript', source, mutants } } },
];
const condition = mutantOf('x > 0', 'x >= 0', 'Survived');
const list = mutantOf('[\n  1,\n]', '[]', 'NoCoverage');
const killed = mutantOf('x > 0 && y', 'true', 'Killed');

describe('a survivor', () => {
  it('is a change that no test detects or reaches', () => {
    const found = unexplained(run(condition, list, killed, mutantOf('y', 'true', 'CompileError')), {});
    expect(found).toEqual([
      { file: 'shared/a.ts', line: 1, change: 'x > 0 → x >= 0', why: undefined },
      { file: 'shared/a.ts', line: 2, change: '[ 1, ] → []', why: undefined },
    ]);
  });

  it('needs no test if its change has an explanation, whatever its line', () => {
    const explanations = { 'shared/a.ts': [{ changes: ['x > 0 → x >= 0'], why: 'It is never 0.' }] };
    expect(unexplained(run(condition, list), explanations).map(({ line }) => line)).toEqual([2]);
    expect(unexplained(run(condition), { 'shared/b.ts': explanations['shared/a.ts'] })).toHaveLength(1);
  });
});

describe('the table of scores', () => {
  it('counts killed mutants and timeouts among those that compile and are not ignored', () => {
    const hanging = mutantOf('y', 'false', 'Timeout');
    const others = [mutantOf('y', '""', 'CompileError'), mutantOf('y', '0', 'Ignored')];
    expect(tableOf(run(killed, hanging, condition, list, ...others), {})).toContain(
      '| shared/a.ts | 50.0 % | 2 | 1 | 2 | 0 | 1 | 1 |',
    );
  });

  it('has no score without mutants', () => {
    expect(tableOf(run(), {})).toContain('| **all** | – | 0 | 0 | 0 | 0 | 0 | 0 |');
  });
});

describe('the page', () => {
  it('lists survivors under their explanation', () => {
    const explanations = { 'shared/a.ts': [{ changes: ['x > 0 → x >= 0'], why: 'It is never 0.' }] };
    const page = pageOf(run(condition, list, killed), explanations, { missing: ['the part table', 'shared/b.ts'] });
    expect(page).toContain('at revision abc1234. Not run: the part table, shared/b.ts.');
    expect(page).toContain(
      '### shared/a.ts\n\n- It is never 0.\n  - line 1: `x > 0 → x >= 0`\n- Not explained.\n  - line 2: `[ 1, ] → []`\n',
    );
  });
});

describe('an existing report page', () => {
  const explanations = { 'shared/a.ts': [{ changes: ['x > 0 → x >= 0'], why: 'It is never 0.' }] };
  const before = pageOf(run(condition, list, killed), explanations);

  it('keeps the rows and survivors of files that did not run again', () => {
    const after = pageOf([], {}, { before, wanted: ['shared/a.ts'] });
    expect(after).toBe(before);
    expect(after).toContain('| shared/a.ts | 33.3 % | 1 | 0 | 2 | 1 | 0 | 0 |');
  });

  it('has the new result of a file that ran again', () => {
    const after = pageOf(run(killed), {}, { before, wanted: ['shared/a.ts'] });
    expect(after).toBe(pageOf(run(killed), {}));
  });

  it('loses the rows of files that are no longer in the scope', () => {
    expect(pageOf([], {}, { before, wanted: ['shared/b.ts'] })).not.toContain('shared/a.ts');
  });

  it('names the files that it covers', () => {
    expect(filesIn(before)).toEqual(['shared/a.ts']);
  });
});

describe('an explanation', () => {
  it('is outdated if its mutant no longer survives', () => {
    const explanations = {
      'shared/a.ts': [{ changes: ['x > 0 → x >= 0', '[ 1, ] → []'], why: 'It makes no difference.' }],
      'shared/not-run.ts': [{ changes: ['y → true'], why: 'It makes no difference.' }],
    };
    expect(outdated(run(condition, killed), explanations)).toEqual(['shared/a.ts: [ 1, ] → []']);
  });
});

describe('mutants that change texts for people', () => {
  const callOf = (name: string) => ({
    type: 'CallExpression',
    callee: { type: 'MemberExpression', object: { type: 'Identifier', name } },
  });
  const error = { type: 'NewExpression', callee: { type: 'Identifier', name: 'NotFoundError' } };
  const text = (value: string) => ({ type: 'StringLiteral', value });
  /** Returns the path of a node inside others, the innermost first. */
  const within = (node: object, ...around: object[]): Parameters<typeof reasonToIgnore>[0] => {
    const [parent, ...others] = around;
    return { node: { type: '', ...node }, parentPath: parent === undefined ? null : within(parent, ...others) };
  };

  it.each([
    ['of an error', within(text('There is none.'), error)],
    ['of an option of an error', within(text('Try again later.'), { type: 'ObjectExpression' }, error)],
    [
      'of an error with values',
      within({ type: 'TemplateLiteral', quasis: [{ value: { raw: 'No webhook has the id ' } }] }, error),
    ],
    ['of a log line', within(text('was not found'), callOf('log'))],
    ['of a schema', within(text('must be an object.'), callOf('v'))],
  ])('are ignored if the text is part %s', (_, path) => {
    expect(reasonToIgnore(path)).toMatch(/^the wording of/);
  });

  it.each([
    ['a code of an error', within(text('NOT_FOUND'), error)],
    ['prose elsewhere', within(text('There is none.'), callOf('Buffer'), { type: 'ReturnStatement' })],
    ['code of a function among the arguments', within(text('a b'), { type: 'ArrowFunctionExpression' }, error)],
    ['a condition among the arguments', within({ type: 'ConditionalExpression' }, error)],
  ])('are not ignored if they change %s', (_, path) => {
    expect(reasonToIgnore(path)).toBeUndefined();
  });
});
