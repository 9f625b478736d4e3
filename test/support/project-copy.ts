/** A copy of the project, to edit or run, in a folder with an apostrophe, a space and a letter outside ASCII. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const needed = [
  'functions',
  'shared',
  'infra',
  'web',
  'docs',
  'test/events',
  'package.json',
  'tsconfig.json',
  'cdk.json',
];

/** Copies the project without its tests and pictures; the packages are those of this checkout. */
export const copyProject = () => {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'masthead-'));
  const copy = join(folder, "it's a páth");
  for (const path of needed)
    cpSync(join(root, path), join(copy, path), { recursive: true, filter: (file) => !file.includes('docs/images') });
  // A folder of its own, so that its caches are below the copy as in a checkout.
  mkdirSync(join(copy, 'node_modules'));
  for (const name of readdirSync(join(root, 'node_modules')).filter((entry) => entry !== '.cache'))
    symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name));
  const link = join(folder, 'link to it');
  symlinkSync(copy, link, 'dir');
  return { copy, link, remove: () => rmSync(folder, { recursive: true, force: true }) };
};
