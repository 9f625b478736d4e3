/** Commands in the documentation can be pasted: a shell reads none of their placeholders as a redirection. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`),
];

it.each(pages.filter((name) => name.endsWith('.md')))(
  '%s has no placeholder in angle brackets in a command',
  (page) => {
    const blocks = readFileSync(join(root, page), 'utf8').matchAll(/```(?:sh|bash)\n(.*?)```/gs);
    const lines = [...blocks].flatMap(([, block = '']) => block.split('\n'));
    const unquoted = lines.map((line) => line.replaceAll(/'[^']*'|"[^"]*"|#.*/g, ''));
    expect(unquoted.filter((line) => /<[A-Za-z][\w:.-]*>/.test(line))).toEqual([]);
  },
);
