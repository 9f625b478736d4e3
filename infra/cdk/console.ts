/** Builds the console (`web/console`): the HTML, and the files it loads, with a hash of their content in their names. */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
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
 * @returns a folder with `page.html`, in `assets` what the page loads, and `sizes.json`
 * @throws Error for a file that is not among the sources: its changes would not be seen
 */
export const buildConsole = (): Promise<string> => {
  return cached('console', sources, async (folder) => {
    const { metafile } = await build({ ...options, outdir: join(folder, 'assets'), plugins: [iconsWithoutRequests] });
    const others = Object.keys(metafile.inputs).filter((file) => !isPackage(file) && !isSourceOfConsole(file));
    if (others.length > 0) throw new Error(`infra/cdk/console.ts must name ${others.join(', ')} among the sources.`);
    const main = outputOf(metafile, script);
    const licences = [licencesOf(metafile), readFileSync(join(root, 'web/console/ui/icons-licence.txt'), 'utf8')];
    writePage(
      folder,
      'web/console/page.html',
      licences.join(`\n${'-'.repeat(80)}\nLucide icons 1.65.0: ISC and MIT\n\n`),
      {
        script: main,
        style: outputOf(metafile, style),
      },
    );
    writeFileSync(join(folder, 'sizes.json'), JSON.stringify(sizesOf(folder, metafile, main)));
  });
};

const isPackage = (file: string): boolean => file.includes('node_modules/');

/** The size of a file of the console, in bytes; `parts` are the largest shares of it, by package. */
export interface FileSize {
  readonly file: string;
  readonly first: boolean;
  readonly bytes: number;
  readonly gzip: number;
  readonly parts: Readonly<Record<string, number>>;
}

/**
 * Web Awesome fetches its icons from `data:` URLs, which `connect-src 'self'` blocks: they are decoded in place. Its default icons are on another
 * origin; the console does not use them.
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

/** Returns the files that a file imports before it runs, directly and through others. */
const importedBy = ({ outputs }: Metafile, main: string): string[] => {
  const path = Object.keys(outputs).find((output) => basename(output) === main) ?? '';
  const found = new Set<string>();
  const follow = (output: string): void => {
    for (const { path: imported, kind } of outputs[output]?.imports ?? [])
      if (kind === 'import-statement' && !found.has(imported)) {
        found.add(imported);
        follow(imported);
      }
  };
  follow(path);
  return [...found].map((output) => basename(output));
};

const sizesOf = (folder: string, metafile: Metafile, main: string): FileSize[] => {
  const first = new Set([main, ...importedBy(metafile, main), outputOf(metafile, style)]);
  return Object.entries(metafile.outputs)
    .map(([path, { bytes, inputs }]) => ({
      file: basename(path),
      first: first.has(basename(path)),
      bytes,
      gzip: gzipSync(readFileSync(join(folder, 'assets', basename(path)))).length,
      parts: partsOf(inputs),
    }))
    .sort((a, b) => Number(b.first) - Number(a.first) || b.gzip - a.gzip);
};

/** Returns the bytes of each package, largest first; the console's own code counts as one. */
const partsOf = (inputs: Readonly<Record<string, { readonly bytesInOutput: number }>>): Record<string, number> => {
  const parts = new Map<string, number>();
  for (const [input, { bytesInOutput }] of Object.entries(inputs)) {
    const [, name = 'console'] = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(input) ?? [];
    parts.set(name, (parts.get(name) ?? 0) + bytesInOutput);
  }
  return Object.fromEntries([...parts].sort(([, a], [, b]) => b - a));
};
