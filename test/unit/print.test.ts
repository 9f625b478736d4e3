/** Text from outside cannot control the operator's terminal, because its control characters are escaped. */
// biome-ignore-all lint/suspicious/noControlCharactersInRegex: the tests look for these characters
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { print, printError, visible } from '../../infra/command-line/print.ts';
import { printItem, printList } from '../../infra/ops/output/print.ts';

afterEach(() => vi.restoreAllMocks());
const written = (act: () => void): string => {
  const lines: string[] = [];
  for (const name of ['log', 'error'] as const)
    vi.spyOn(console, name).mockImplementation((line: string) => void lines.push(line));
  act();
  return lines.join('\n');
};

const attacks = {
  'an escape sequence': '\u001b]0;title\u0007',
  'a carriage return': 'safe\rrm -rf',
  'a C1 control': '\u009b2J',
  'a delete': '\u007f',
  'a right-to-left override': '\u202egpj.exe',
  'a directional isolate': '\u2066a\u2069',
  'a right-to-left mark': '\u200f',
  'a line separator': '\u2028',
};

it('one long text in a table does not push apart the rows of the others', () => {
  const items = [
    { events: 'post.added', url: 'one' },
    { events: 'post.added,'.repeat(20), url: 'two' },
  ];
  const columns = { events: (item: { events: string }) => item.events, url: (item: { url: string }) => item.url };
  expect(written(() => printList({}, items, columns, 'None.')).split('\n')).toEqual([
    'EVENTS      URL',
    'post.added  one',
    `${'post.added,'.repeat(20)}  two`,
  ]);
});

describe.each(Object.entries(attacks))('%s', (_, attack) => {
  const name = `A ${attack} B`;
  const outputs: Record<string, () => void> = {
    text: () => print(name),
    error: () => printError(name),
    table: () => printList({}, [{ name }], { name: (item) => item.name }, 'None.'),
    item: () => printItem({}, { name }, { name: (item) => item.name }),
    'list in JSON': () => printList({ json: true }, [{ name }], {}, 'None.'),
    'item in JSON': () => printItem({ json: true }, { name }, {}),
  };
  it.each(Object.entries(outputs))('is escaped in the output of kind %s', (_, act) => {
    const output = written(act);
    for (const character of attack.match(/[\u0000-\u001f\u007f-\u009f\u200f\u2028-\u202e\u2066-\u2069]/g) ?? [])
      expect(output).not.toContain(character);
    expect(output).toMatch(/\\(u[0-9a-f]{4}|r)/);
  });

  it('is unchanged for a program that parses the JSON output', () => {
    expect(JSON.parse(written(() => printItem({ json: true }, { name }, {})))).toEqual({ name });
  });
});

it('a text keeps its lines and columns, but a value is printed in one line', () => {
  expect(written(() => print('one\n\ttwo – größer 👩‍👩‍👧'))).toBe('one\n\ttwo – größer 👩‍👩‍👧');
  expect(visible('one\n\ttwo')).toBe('one\\u000a\\u0009two');
});

it('every command of the operator prints through the function that escapes', () => {
  const folder = join(import.meta.dirname, '../../infra/ops');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const past = files.filter((file) =>
    /console\.(log|error|warn|info)|process\.std(out|err)\.write\((?!showCursor\))/.test(
      readFileSync(join(folder, file), 'utf8'),
    ),
  );
  expect(past).toEqual([]);
});
