/** What the pages in `web/` share: build options, HTML with file names, licences, and the functions that serve them. */
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { BuildOptions, Metafile, PluginBuild } from 'esbuild';
import { root } from './root.ts';

export const pageOptions = {
  absWorkingDir: root,
  entryNames: '[name]-[hash]',
  bundle: true,
  minify: true,
  metafile: true,
  format: 'esm',
  target: ['chrome120', 'firefox121', 'safari17'],
  define: { 'process.env.NODE_ENV': '"production"' },
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'silent',
} as const satisfies BuildOptions;

/** Other inputs that decide how the pages in `web/` are built. */
export const pageSources = ['infra/cdk/console.ts', 'infra/cdk/documentation.ts', 'infra/cdk/pages.ts'];

/** The files that a function serving a page has next to its bundle. */
export const pageFilesOf: Readonly<Record<string, string>> = {
  'openapi/page': 'page.html',
  'openapi/asset': 'assets',
  'console/page': 'page.html',
  'console/asset': 'assets',
};

/** Puts a page beside the functions that serve it: into the folder of all bundles, or a version of each. */
export const addPage = (page: string, group: 'openapi' | 'console', bundles: string, version = ''): void => {
  for (const [functionName, part] of Object.entries(pageFilesOf)) {
    const folder = join(bundles, functionName, version);
    if (functionName.startsWith(`${group}/`) && existsSync(folder))
      cpSync(join(page, part), join(folder, part), { recursive: true });
  }
};

/** Writes the HTML of a page, with its placeholders filled in, and the licences of its packages beside its files. */
export const writePage = (
  folder: string,
  page: string,
  licences: string,
  placeholders: Readonly<Record<string, string>>,
): void => {
  writeFileSync(join(folder, 'assets', 'licences.txt'), licences);
  const html = Object.entries(placeholders).reduce(
    (text, [name, value]) => text.replaceAll(`{${name}}`, value),
    readFileSync(join(root, page), 'utf8'),
  );
  writeFileSync(join(folder, 'page.html'), html);
};

/** Returns the name of the file that was built from an entry point. */
export const outputOf = ({ outputs }: Metafile, entryPoint: string): string =>
  basename(Object.entries(outputs).find(([, output]) => output.entryPoint === entryPoint)?.[0] ?? '');

/** Replaces a text in files of packages. The build fails if a new version lacks the text. */
export const edit = ({ onLoad }: PluginBuild, filter: RegExp, from: RegExp, to: string): void =>
  onLoad({ filter }, ({ path }) => {
    const text = readFileSync(path, 'utf8');
    const contents = text.replace(from, to);
    if (contents === text) return { errors: [{ text: `${path} has no ${from} to edit: see infra/cdk` }] };
    return { contents, loader: 'js' };
  });

/** The licence of every package that the page contains, in its own words where it ships them. */
export const licencesOf = ({ inputs }: Metafile): string => {
  const folders = Object.keys(inputs).flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? []);
  return [...new Set(folders)]
    .sort()
    .map(licenceOf)
    .join(`\n${'-'.repeat(80)}\n`);
};

const licenceOf = (folder: string): string => {
  const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const file = readdirSync(join(root, folder)).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? '' : `\n${readFileSync(join(root, folder, file), 'utf8')}`;
  return `${name} ${version}: ${license}\n${text}`;
};
