/** Builds the documentation page (`web/docs`): the HTML, and its files, whose names contain a hash of their content. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { cached } from './cache.ts';
import { outputOf, pageOptions, writePage } from './pages.ts';
import { root } from './root.ts';

/**
 * Patches the renderer: the page's policy blocks its style attributes, and its style element gets the nonce from
 * `web/docs/main.ts`, not from a readable element. The build fails if a new version lacks the text.
 */
const edits = [
  { from: /\w+\.nonce=document\.head\.querySelector\(`meta\[property=csp-nonce\]`\)\?\.content,/g, to: '' },
  { from: /\w+\.properties\.style=\[`--line-count: [^\]]*\]/g, to: '0' },
  { from: /(\w+)\.setAttribute\(`style`,(`[^`$]*`)\)/g, to: '$1.style.cssText=$2' },
] as const;

/** One script, which a browser fetches at once: many requests would use up the concurrency of a new AWS account. */
const options = {
  ...pageOptions,
  entryPoints: ['web/docs/main.ts', 'web/docs/page.css'],
} as const satisfies BuildOptions;

/** Builds the page unless cached. @returns a folder with `page.html` and, in `assets`, what the page loads */
export const buildDocumentation = (): Promise<string> => {
  const sources = {
    folders: ['web/docs'],
    files: ['web/quoted.ts', 'web/token.ts', 'infra/cdk/documentation.ts', 'infra/cdk/pages.ts'],
  };
  return cached('documentation', sources, async (folder) => {
    const { metafile } = await build({ ...options, outdir: join(folder, 'assets'), plugins: [prebuiltRenderer] });
    const script = outputOf(metafile, 'web/docs/main.ts');
    const placeholders = { script, style: outputOf(metafile, 'web/docs/page.css') };
    writePage(folder, 'web/docs/page.html', licences(), placeholders);
  });
};

/**
 * Scalar's plugin for Fastify contains its API reference as one script, and an import of it becomes that script.
 * `@scalar/api-reference` would add more than 200 packages.
 */
const prebuiltRenderer: Plugin = {
  name: 'prebuilt renderer',
  setup({ onLoad }) {
    onLoad({ filter: /\/@scalar\/fastify-api-reference\/dist\/index\.js$/ }, async () => {
      let script = await servedScript();
      for (const { from, to } of edits) {
        if (!from.test(script)) return { errors: [{ text: `Scalar's script has no ${from} to edit` }] };
        script = script.replace(from, to);
      }
      // The parameters make it register itself as a global, as it does in a `<script>`.
      return { contents: `(function(exports,module,define,require){${script}\n}).call(globalThis);`, loader: 'js' };
    });
  },
};

/** Returns the script that the plugin serves, by registering the plugin and requesting the script as Fastify would. */
const servedScript = async (): Promise<string> => {
  // Imported only here, because the module is large.
  const { default: plugin } = await import('@scalar/fastify-api-reference');
  let script = '';
  const reply = { header: () => reply, send: (body: string) => (script = body) };
  const fastify = {
    initialConfig: {},
    route: ({ url, handler }: { url: string; handler: (request: object, to: typeof reply) => void }) => {
      if (url.endsWith('.js')) handler({}, reply);
    },
  };
  Reflect.apply(plugin, undefined, [fastify, { configuration: { url: 'unused' } }, () => {}]);
  if (script === '') throw new Error('@scalar/fastify-api-reference has registered no script');
  return script;
};

/** Returns the licences of the packages in the script. The build fails if they belong to another version. */
const licences = (): string => {
  const [renderer, own] = [
    'node_modules/@scalar/fastify-api-reference/package.json',
    'web/docs/renderer-licences.txt',
  ].map((file) => readFileSync(join(root, file), 'utf8'));
  const { version } = JSON.parse(renderer ?? '');
  if (!own?.includes(`@scalar/api-reference ${version}: `))
    throw new Error('web/docs/renderer-licences.txt is of another version: run test/supply-chain/renderer-licences.ts');
  return own;
};
