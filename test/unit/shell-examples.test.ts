/** Documented commands can be pasted into a shell, also into zsh on macOS, which has no comments there. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`),
];

const linesOf = (page: string): string[] =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/```(?:sh|bash)\n(.*?)```/gs)].flatMap(([, block = '']) =>
    block.split('\n'),
  );

describe.each(pages.filter((name) => name.endsWith('.md')))('the commands of %s', (page) => {
  it('have no placeholder in angle brackets, which a shell reads as a redirection', () => {
    const unquoted = linesOf(page).map((line) => line.replaceAll(/'[^']*'|"[^"]*"|#.*/g, ''));
    expect(unquoted.filter((line) => /<[A-Za-z][\w:.-]*>/.test(line))).toEqual([]);
  });

  it('install no package from a registry that has none: the package is built here', () => {
    expect(linesOf(page).filter((line) => /npm (install|i|add) masthead\b/.test(line))).toEqual([]);
  });

  it('have comments only on separate lines, without quotes or special characters', () => {
    const unquoted = linesOf(page).map((line) => line.replaceAll(/'[^']*'|"[^"]*"/g, "''"));
    expect(unquoted.filter((line) => /\S\s+#|^\s*#.*['"`|;<>()&$]/.test(line))).toEqual([]);
  });
});
