/** Holds the language of everything that people read: plain English and the terms of API references (test/support/language.ts). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../infra/openapi/document.ts';
import { mails, pages } from '../browser/publisher-pages.ts';
import { publication } from '../support/invitation.ts';
import { filesAt, type Text, violations } from '../support/language.ts';

const root = join(import.meta.dirname, '../..');

/** Error messages, log lines, help, test titles, comments: whole files, so that no text is missed. */
describe('the source uses none of the avoided phrases', () => {
  it.each([
    ['functions', 30],
    ['shared', 120],
    ['infra/cdk', 30],
    ['infra/emulator', 30],
    ['infra/local', 30],
    ['web', 5],
    ['test', 250],
  ])('in %s', (folder, count) => {
    const files = filesAt(root, folder, /\.(?:tsx?|html|css|md)$/).filter(
      ({ where }) => where !== 'test/support/language.ts',
    );
    expect(files.length).toBeGreaterThan(count);
    expect(violations(files)).toEqual([]);
  });

  it('in the files of the npm scripts, which print help and messages', () => {
    const { scripts } = v.parse(v.object({ scripts: v.record(v.string(), v.string()) }), JSON.parse(manifest));
    const files = Object.values(scripts).flatMap((script) => /\bnode (?:--\S+ )*(\S+\.ts)/.exec(script)?.[1] ?? []);
    expect(files).toContain('infra/ops/ops.ts');
    expect(violations(files.flatMap((file) => filesAt(root, file, /\.ts$/)))).toEqual([]);
  });
});

const manifest = readFileSync(join(root, 'package.json'), 'utf8');

it.each(['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'docs', 'package.json'])(
  'the documentation uses none of them: %s',
  (place) => {
    const files = filesAt(root, place, /\.(?:md|json)$/);
    expect(files).not.toEqual([]);
    expect(violations(files)).toEqual([]);
  },
);

const documentTexts = (value: unknown, where: string): Text[] => {
  if (typeof value === 'string') return [{ where, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => documentTexts(inner, `${where}.${key}`));
};

it('the OpenAPI document uses none of them', () => {
  const texts = documentTexts(openApiDocument(), 'openapi');
  expect(texts.length).toBeGreaterThan(1000);
  expect(violations(texts)).toEqual([]);
});

it.each(['en', 'de'] as const)('the pages and mails for people use none of them: %s', (language) => {
  const here = publication({ language });
  const texts = [
    ...Object.entries(pages).map(([where, page]): Text => ({ where, text: page(here) })),
    ...Object.entries(mails).flatMap(([where, mail]) => documentTexts(mail(here), where)),
  ];
  expect(texts.length).toBeGreaterThan(20);
  expect(violations(texts)).toEqual([]);
});
