/** The bundles of the functions, as stacks use them: without the bundler. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.ts';

/** The bundle of each function: a folder with `index.mjs`, which exports `handler`, and the files that it serves. */
export interface Bundles {
  /** @throws Error if the contract has no such function */
  folderOf(functionName: string): string;
  readonly areComplete: boolean;
}

/** The bundles that the package contains (`infra/local/package.ts`). */
export const packagedBundles: Bundles = {
  folderOf: (functionName) => join(root, 'bundles', functionName),
  areComplete: true,
};

/** Identifies a bundle's code, so that a stack trace in the log is explained with the map of the same code. */
export const bundleHash = (folder: string): string =>
  createHash('sha256')
    .update(readFileSync(join(folder, 'index.mjs')))
    .digest('hex')
    .slice(0, 12);
