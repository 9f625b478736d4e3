/** The record of an import: one file for each site, which no other site and no other stage can use. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openRecord, siteUrlOf } from '../../infra/ops/ghost/record.ts';

const home = mkdtempSync(join(tmpdir(), 'masthead-'));
process.env.MASTHEAD_HOME = home;
afterAll(() => rmSync(home, { recursive: true, force: true }));

const stage = 'https://api.example.com/ghost/api';

describe('the record of an import', () => {
  it.each([
    ['another path', 'https://news.example.com/blog', 'https://news.example.com/shop'],
    ['another port', 'https://news.example.com:8443', 'https://news.example.com'],
    ['another scheme', 'http://news.example.com', 'https://news.example.com'],
    [
      'a path whose characters look the same in a file name',
      'https://news.example.com/a/b',
      'https://news.example.com/a-b',
    ],
  ])('is a file of its own for a site with the same host and %s', (_, one, other) => {
    expect(openRecord(one, stage, 'one').path).not.toBe(openRecord(other, stage, 'other').path);
  });

  it('is the same file with and without a slash at the end of the URL', () => {
    const [one, other] = ['https://news.example.com/blog/', 'https://news.example.com/blog'].map(siteUrlOf);
    expect(openRecord(one ?? '', stage, 'one').path).toBe(openRecord(other ?? '', stage, 'one').path);
  });

  it('is refused if the site at this URL has another id than the imported one', () => {
    const { save } = openRecord('https://moved.example.com', stage, 'first');
    save();
    expect(() => openRecord('https://moved.example.com', stage, 'second')).toThrow(
      'is of another site at the same URL (first; this one is second).',
    );
  });

  it('is refused for another stage than the one of the import', () => {
    openRecord('https://stage.example.com', stage, 'one').save();
    expect(() => openRecord('https://stage.example.com', 'https://other.example.com/ghost/api', 'one')).toThrow(
      `is of an import into ${stage}. Undo that one first: --undo --url ${stage}.`,
    );
  });
});
