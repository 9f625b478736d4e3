/** Builds the documentation page (`web/docs`): the HTML, and the files it loads, with a hash of their content in their names. */
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { cached, root } from './cache.ts';

/**
 * Edits to packages of the renderer. Both write style attributes into markup, which the page's policy blocks and browsers report.
 * A new version without the text fails the build.
 */
const edits = [
  {
    file: '@scalar/code-highlight/dist/chunks/code.js',
    from: /node\.properties\.style = \[[^;]*;`,[^;]*;`\];/,
    to: '',
  },
  {
    file: '@scalar/themes/dist/index.js',
    from: /(parent|child)\.setAttribute\("style", ("[^"]*")\);/g,
    to: '$1.style.cssText = $2;',
  },
] as const;

/** Parts of the renderer that this page never shows, with their replacements. */
const leftOut = [
  { file: '@scalar/api-reference/dist/components/AgentScalar/AgentScalarDrawer.vue.js', by: 'export default {}' },
  { file: 'zod/v4/locales/index.js', by: 'export {}' },
] as const;

/** One script, which a browser fetches with one request: many at once would use up the concurrency of a new AWS account. */
const options = {
  absWorkingDir: root,
  entryPoints: ['web/docs/main.ts', 'web/docs/page.css'],
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

/**
 * Builds the page unless it is in the cache.
 * @returns a folder with `page.html` and, in `assets`, what the page loads
 */
export const buildDocumentation = (): Promise<string> => {
  const sources = { folders: ['web'], files: ['infra/cdk/documentation.ts'] };
  return cached('documentation', sources, async (folder) => {
    const assets = join(folder, 'assets');
    const { metafile } = await build({ ...options, outdir: assets, plugins: [changedRenderer] });
    writeFileSync(join(assets, 'licences.txt'), licencesOf(metafile));
    const html = readFileSync(join(root, 'web/docs/page.html'), 'utf8');
    const filled = html
      .replace('{script}', basename(outputOf(metafile, 'web/docs/main.ts')))
      .replace('{style}', basename(outputOf(metafile, 'web/docs/page.css')));
    writeFileSync(join(folder, 'page.html'), filled);
  });
};

/** What the functions that serve the page have beside their bundle. */
export const documentationOf: Readonly<Record<string, string>> = {
  'openapi/page': 'page.html',
  'openapi/asset': 'assets',
};

/** Puts the page and its files beside the functions that serve them, below the folder of all bundles. */
export const addDocumentation = (documentation: string, bundles: string): void => {
  for (const [functionName, part] of Object.entries(documentationOf)) {
    const folder = join(bundles, functionName);
    if (existsSync(folder)) cpSync(join(documentation, part), join(folder, part), { recursive: true });
  }
};

const changedRenderer: Plugin = {
  name: 'changed renderer',
  setup({ onLoad }) {
    for (const { file, by } of leftOut) onLoad({ filter: endingIn(file) }, () => ({ contents: by, loader: 'js' }));
    for (const { file, from, to } of edits)
      onLoad({ filter: endingIn(file) }, ({ path }) => {
        const text = readFileSync(path, 'utf8');
        const contents = text.replace(from, to);
        if (contents === text)
          return { errors: [{ text: `${file} has no ${from} to edit: see infra/cdk/documentation.ts` }] };
        return { contents, loader: 'js' };
      });
  },
};

const endingIn = (file: string): RegExp => new RegExp(`/node_modules/${file.replaceAll('.', '\\.')}$`);

const outputOf = ({ outputs }: Metafile, entryPoint: string): string =>
  Object.entries(outputs).find(([, output]) => output.entryPoint === entryPoint)?.[0] ?? '';

/** The licence of every package that the page contains, in its own words where it ships them. */
const licencesOf = ({ inputs }: Metafile): string => {
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
