/** Names files and lines of the source in the stacks of a log record. */
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join, relative, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { bundleHash } from '../../cdk/bundles.ts';
import { isPackage, root } from '../../cdk/root.ts';
import { UsageError } from '../../command-line/exit-codes.ts';
import { textOf } from '../../command-line/file-at.ts';
import { print, printError } from '../../command-line/print.ts';

/** A place in a bundle, as V8 writes it into a stack: line and column from 1. */
const place = /(?:file:\/\/)?[^\s()"]*\bindex\.mjs:(\d+):(\d+)/g;

/** Replaces the places in the bundle of a function by those in the source. */
export const explainStack = (record: string, folder: string): string => {
  const file = join(folder, 'index.mjs');
  const map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')));
  return record.replaceAll(place, (found, line: string, column: string) => {
    const entry = map.findEntry(Number(line) - 1, Number(column) - 1);
    if (!('originalSource' in entry)) return found;
    const source = relative(root, resolve(folder, entry.originalSource)).replace(/^.*(?=node_modules\/)/, '');
    return `${source.replace(/^(\.\.\/)+/, '')}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  });
};

const functionIn = (record: string): string | undefined => /"function":\s*"([a-z-]+\/[a-z-]+)"/.exec(record)?.[1];
const bundleIn = (record: string): string | undefined => /"bundle":\s*"([0-9a-f]{12})"/.exec(record)?.[1];

/**
 * Prints the stack of a record.
 * @param file with the record, or `-` for standard input
 * @throws UsageError if neither the record nor `given` names the function
 */
export const explain = async (file: string, given: string | undefined): Promise<void> => {
  const record = file === '-' ? await text(process.stdin) : textOf(file, 'The file');
  const name = given ?? functionIn(record);
  if (name === undefined)
    throw new UsageError(
      'The record does not name its function. Name it with --function, such as --function webhooks/create.',
    );
  if (isPackage)
    throw new UsageError('The package has no sources: run this in the repository, at the tag of your release.');
  // Not part of the package, which has no bundler either.
  const { bundleFunctions } = await import('../../cdk/bundle.ts');
  const folder = (await bundleFunctions()).folderOf(name);
  const [deployed, here] = [bundleIn(record), bundleHash(folder)];
  if (deployed !== undefined && deployed !== here)
    throw new Error(
      `The record is of the bundle ${deployed} of ${name}, and this source builds ${here}. ` +
        'Check out the deployed commit, run npm ci and retry.',
    );
  if (deployed === undefined)
    printError('The record does not name its bundle, so lines are right for the deployed commit only.');
  print(explainStack(record, folder).replaceAll('\\n', '\n'));
};
