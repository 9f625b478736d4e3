/** The outputs of the stacks, by the names under which commands and docs read them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { synthesizedStages } from './stages.ts';
import { synthesized } from './synthesized.ts';

const templates = synthesized();
const root = join(import.meta.dirname, '../..');
const textsIn = (folder: string, extension: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(extension))
    .map((file) => readFileSync(join(root, folder, file), 'utf8'));
const namesIn = (texts: readonly string[], pattern: RegExp) =>
  new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, one, other]) => one ?? other ?? '')));

const existing = new Set(synthesizedStages.flatMap(({ name }) => templates.outputs(name)));

it('every output that a command reads exists in a stack', () => {
  const read = namesIn(textsIn('infra/ops', '.ts'), /(?:outputs\.get\(|OutputKey === )'(\w+)'/g);
  // An output of the CDK's bootstrap stack.
  read.delete('BootstrapVersion');
  expect([...read].sort()).toEqual(['DomainTarget', 'Stage', 'Url']);
  expect([...read].filter((name) => !existing.has(name))).toEqual([]);
});

it('every output that the docs name exists in a stack', () => {
  const named = namesIn(textsIn('docs', '.md'), /output `(\w+)`|OutputKey=='(\w+)'/g);
  expect([...named]).toEqual(expect.arrayContaining(['DomainTarget', 'Url']));
  expect([...named].filter((name) => !existing.has(name))).toEqual([]);
});
