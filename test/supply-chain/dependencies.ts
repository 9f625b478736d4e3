/**
 * Prints a table of what each direct dependency brings: the packages that would go with it, and their size.
 *
 *   node test/supply-chain/dependencies.ts [--write]
 *
 * `--write` puts the figures into the table of CONTRIBUTING.md, whose second column says why each package is here.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { command, run } from '../../infra/command-line/command.ts';
import { broughtBy, directDependencies, family, installedTree, reached, type Tree } from './dependency-tree.ts';

const root = join(import.meta.dirname, '../..');
const page = join(root, 'CONTRIBUTING.md');

/** Bytes of the files in a folder, without those of packages that are installed inside it. */
const bytesOf = (folder: string): number =>
  readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? sum : sum + bytesOf(path);
    return entry.isFile() ? sum + statSync(path).size : sum;
  }, 0);

const megabytesOf = (paths: Iterable<string>): number =>
  [...paths].reduce((sum, path) => sum + bytesOf(join(root, path)), 0) / 1e6;

const shown = (megabytes: number): string => megabytes.toFixed(megabytes < 10 ? 1 : 0);

const rowsOf = (tree: Tree): { readonly name: string; readonly packages: number; readonly megabytes: number }[] =>
  [...Map.groupBy(directDependencies(tree), family)]
    .map(([name, members]) => {
      const brought = broughtBy(tree, members);
      return { name, packages: brought.length, megabytes: megabytesOf(brought) };
    })
    .sort((a, b) => b.megabytes - a.megabytes);

const write = (rows: ReturnType<typeof rowsOf>, total: string): void => {
  const text = readFileSync(page, 'utf8');
  const reasons = new Map(
    [...text.matchAll(/^\| `([^`]+)` \| (.*) \| \d+ \| [\d.]+ \|$/gm)].map(([, name, why]) => [name, why]),
  );
  const lines = rows.map(
    ({ name, packages, megabytes }) =>
      `| \`${name}\` | ${reasons.get(name) ?? '?'} | ${packages} | ${shown(megabytes)} |`,
  );
  const table = ['| package | why | packages | MB |', '|---|---|---|---|', ...lines, '', total].join('\n');
  const start = text.indexOf('| package | why |');
  const end = text.indexOf('\n', text.indexOf('In all ', start));
  if (start < 0 || end < start) throw new Error('CONTRIBUTING.md has no table of packages');
  writeFileSync(page, `${text.slice(0, start)}${table}${text.slice(end)}`);
};

const measure = (isWritten: boolean): void => {
  const tree = installedTree();
  const rows = rowsOf(tree);
  const all = reached(tree);
  const total = `In all ${all.size} packages and ${Math.round(megabytesOf(all))} MB; shared ones are in no row.`;
  for (const { name, packages, megabytes } of rows) console.log(`${name}\t${packages}\t${shown(megabytes)} MB`);
  console.log(total);
  if (isWritten) write(rows, total);
};

await run(
  command('node test/supply-chain/dependencies.ts')
    .description('Prints what each direct dependency brings: the packages that would go with it, and their size in MB.')
    .option('--write', 'Put the figures into the table of CONTRIBUTING.md.', false)
    .action(({ write: isWritten }) => measure(isWritten)),
);
