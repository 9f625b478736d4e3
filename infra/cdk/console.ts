/** Builds the console (`web/console`): the HTML, and the files it loads, with a hash of their content in the name. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { analyzeMetafile, type BuildOptions, build, type Plugin } from 'esbuild';
import { cached } from './cache.ts';
import { edit, licencesOf, outputOf, pageOptions, writePage } from './pages.ts';
import { root } from './root.ts';

const script = 'web/console/main.tsx';
const style = 'web/console/console.css';

/** The first view needs one script and one style sheet; a separate chunk exists only for what few views show. */
const options = {
  ...pageOptions,
  entryPoints: [script, style],
  chunkNames: '[name]-[hash]',
  splitting: true,
  jsx: 'automatic',
  jsxImportSource: 'preact',
  // Guides of `docs/` that views quote.
  loader: { '.md': 'text' },
} as const satisfies BuildOptions;

const sources = {
  folders: ['web/console', 'shared/events', 'shared/foundation'],
  files: [
    'web/quoted.ts',
    'web/token.ts',
    'shared/audit/actions.ts',
    'shared/audit/sentences.ts',
    'shared/formats/indexed-events.ts',
    'shared/incidents/incident.ts',
    'shared/incidents/wording.ts',
    'shared/integrations/relay/import-command.ts',
    'shared/integrations/relay/refusals.ts',
    'shared/publication/languages/german-roles.ts',
    'shared/webhooks/cause.ts',
    'shared/webhooks/cause-de.ts',
    'shared/webhooks/name.ts',
    'shared/webhooks/same-target.ts',
    'shared/webhooks/state.ts',
    'docs/receiving.md',
    'infra/cdk/console.ts',
    'infra/cdk/pages.ts',
  ],
};

/** Returns whether the console is built from a file, relative to the root. */
export const isSourceOfConsole = (file: string): boolean =>
  sources.files.includes(file) || sources.folders.some((folder) => file.startsWith(`${folder}/`));

/**
 * Builds the console unless it is in the cache.
 * @returns a folder with `page.html`, in `assets` what the page loads, and `sizes.txt`
 * @throws Error for a file that is not among the sources: its changes would not be seen
 */
export const buildConsole = (): Promise<string> => {
  return cached('console', sources, async (folder) => {
    const { metafile } = await build({ ...options, outdir: join(folder, 'assets'), plugins: [iconsWithoutRequests] });
    const others = Object.keys(metafile.inputs).filter((file) => !isPackage(file) && !isSourceOfConsole(file));
    if (others.length > 0) throw new Error(`infra/cdk/console.ts must name ${others.join(', ')} among the sources.`);
    const licences = [licencesOf(metafile), readFileSync(join(root, 'web/console/ui/icons-licence.txt'), 'utf8')];
    writePage(
      folder,
      'web/console/page.html',
      licences.join(`\n${'-'.repeat(80)}\nLucide icons 1.65.0: ISC and MIT\n\n`),
      { script: outputOf(metafile, script), style: outputOf(metafile, style) },
    );
    writeFileSync(join(folder, 'sizes.txt'), await analyzeMetafile(metafile));
  });
};

const isPackage = (file: string): boolean => file.includes('node_modules/');

/**
 * Web Awesome fetches its icons from `data:` URLs, which `connect-src 'self'` blocks: decode them in place.
 * Its default icons are on another origin; the console does not use them.
 */
const iconsWithoutRequests: Plugin = {
  name: 'icons without requests',
  setup(plugged) {
    const icon = readFileSync(join(root, 'node_modules/@awesome.me/webawesome/dist/components/icon/icon.js'), 'utf8');
    const [, chunk = 'unknown'] = /WaIcon\n} from "..\/..\/chunks\/([^"]+)"/.exec(icon) ?? [];
    edit(
      plugged,
      new RegExp(`/webawesome/dist/chunks/${chunk.replaceAll('.', '\\.')}$`),
      /await fetch\(url, \{ mode: "cors" \}\)/,
      'new Response(decodeURIComponent(url.slice(url.indexOf(",") + 1)))',
    );
  },
};
