/** Checks the code against docs/compatibility.md: comments cite only sections that exist. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

const sections = [...readFileSync(join(root, 'docs/compatibility.md'), 'utf8').matchAll(/^##+ (.+)$/gm)].map(
  ([, title = '']) => title,
);

const citations = ['functions', 'shared', 'infra', 'test'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.parentPath.includes('test/house'))
    .flatMap((entry) => {
      const file = join(entry.parentPath, entry.name);
      return [...readFileSync(file, 'utf8').matchAll(/docs\/compatibility\.md((?:, "[^"]+")+)/g)].flatMap(
        ([, titles = '']) => [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']) => ({ file, title })),
      );
    }),
);

it('comments cite only sections that docs/compatibility.md has', () => {
  expect(citations.length).toBeGreaterThan(10);
  expect(citations.filter(({ title }) => !sections.includes(title))).toEqual([]);
});
