/** Replaces modules by their simulated parts for a Node process: to be imported before anything of the product. */
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { replacements } from './replacements.ts';

const root = join(import.meta.dirname, '../../..');
const urlOf = (file: string): string => pathToFileURL(file).href;
const byUrl = new Map(
  Object.entries(replacements).map(([replaced, file]) => [
    replaced.startsWith('@') ? replaced : urlOf(join(root, replaced)),
    urlOf(join(import.meta.dirname, file)),
  ]),
);

registerHooks({
  resolve(specifier, context, next) {
    const replaced = byUrl.get(specifier);
    if (replaced !== undefined) return { url: replaced, shortCircuit: true };
    const resolved = next(specifier, context);
    const url = byUrl.get(resolved.url);
    return url === undefined ? resolved : { ...resolved, url };
  },
});
