/** Holds the language of everything that people read: texts use plain English and the terms of API references. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openApiDocument } from '../../infra/commands/openapi/document.ts';

const root = join(import.meta.dirname, '../..');

/** Phrases that need a second reading, or have a standard term. */
const avoided = [
  /\b(?:mend|mended|whoever|nobody|somebody|anybody)\b/i,
  /\b(?:is|are|be|been|was) told\b/i,
  /\btells\b/i,
  /\bnowhere else\b/i,
  /\bever after\b/i,
  /\b(?:take|takes) (?:one of|a current)\b/i,
  /\bthere is nothing (?:at|to|left)\b/i,
  /\bis not answered\b/i,
  /\bmay not (?:give|do|publish)\b/i,
  /\bwhat (?:stands|is not|is there)\b/i,
  /\bonce more\b/i,
  /\bleave (?:it|them) out\b/i,
];

interface Text {
  readonly where: string;
  readonly text: string;
}

/** Strings of the source: error messages, log lines, mails and pages. Comments are left out. */
const sourceTexts = ['functions', 'shared', 'infra/cdk'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .flatMap((entry): Text[] => {
      const where = join(entry.parentPath, entry.name).slice(root.length + 1);
      const code = readFileSync(join(root, where), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
      return [...code.matchAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g)].map(([text]) => ({
        where,
        text,
      }));
    }),
);

const documentTexts = (value: unknown, where: string): Text[] => {
  if (typeof value === 'string') return [{ where, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => documentTexts(inner, `${where}.${key}`));
};

const violations = (texts: readonly Text[]): string[] =>
  texts.flatMap(({ where, text }) =>
    avoided.some((phrase) => phrase.test(text)) ? [`${where}: ${text.slice(0, 160)}`] : [],
  );

it('uses none of the avoided phrases in the strings of the source', () => {
  expect(sourceTexts.length).toBeGreaterThan(1000);
  expect(violations(sourceTexts)).toEqual([]);
});

it('uses none of them in the OpenAPI document', () => {
  const texts = documentTexts(openApiDocument(), 'openapi');
  expect(texts.length).toBeGreaterThan(1000);
  expect(violations(texts)).toEqual([]);
});
