/** Builds the documentation page (`web/docs`): the HTML, and the files it loads, with a hash of their content in their names. */
import { join } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { cached } from './cache.ts';
import { edit, outputOf, pageOptions, writePage } from './pages.ts';

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
  ...pageOptions,
  entryPoints: ['web/docs/main.ts', 'web/docs/page.css'],
} as const satisfies BuildOptions;

/**
 * Builds the page unless it is in the cache.
 * @returns a folder with `page.html` and, in `assets`, what the page loads
 */
export const buildDocumentation = (): Promise<string> => {
  const sources = {
    folders: ['web/docs'],
    files: ['web/token.ts', 'infra/cdk/documentation.ts', 'infra/cdk/pages.ts'],
  };
  return cached('documentation', sources, async (folder) => {
    const { metafile } = await build({ ...options, outdir: join(folder, 'assets'), plugins: [changedRenderer] });
    writePage(folder, 'web/docs/page.html', metafile, {
      script: outputOf(metafile, 'web/docs/main.ts'),
      style: outputOf(metafile, 'web/docs/page.css'),
    });
  });
};

const changedRenderer: Plugin = {
  name: 'changed renderer',
  setup(plugged) {
    for (const { file, by } of leftOut)
      plugged.onLoad({ filter: endingIn(file) }, () => ({ contents: by, loader: 'js' }));
    for (const { file, from, to } of edits) edit(plugged, endingIn(file), from, to);
  },
};

const endingIn = (file: string): RegExp => new RegExp(`/node_modules/${file.replaceAll('.', '\\.')}$`);
