/**
 * Writes web/docs/renderer-licences.txt: the licences of the packages in Scalar's prebuilt script, which lacks them.
 * Run it after an update of `@scalar/fastify-api-reference`.
 *
 *   node test/supply-chain/renderer-licences.ts
 *
 * It installs the packages of that version of `@scalar/api-reference` and bundles them, as Scalar does.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '../..');

const versionOf = (folder: string): string => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version;

/** Returns the name, version, licence and copyright lines of a package, and the text of its licence without them. */
const licenceOf = (folder: string): { readonly head: string; readonly text: string } => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const lines = file === undefined ? [] : readFileSync(join(folder, file), 'utf8').split(/\r?\n/);
  const isCopyright = (line: string): boolean => /^\s*copyright (\(c\)|©|\d)/i.test(line);
  const isTitle = (line: string): boolean => /^\s*(the )?\(?mit( license\)?)?( \(mit\))?\s*$/i.test(line);
  const own = lines.filter(isCopyright).map((line) => `\n  ${line.trim()}`);
  const text = lines.filter((line) => !isCopyright(line) && !isTitle(line)).join('\n');
  return { head: `${name} ${version}: ${license}${own.join('')}`, text: text.trim().replace(/\s*\n\s*\n\s*/g, '\n\n') };
};

const withoutLineBreaks = (text: string): string => text.replace(/\s+/g, ' ');

const version = versionOf(join(root, 'node_modules/@scalar/fastify-api-reference'));
const folder = mkdtempSync(join(tmpdir(), 'renderer-'));
try {
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', `@scalar/api-reference@${version}`];
  const { status, stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm could not install @scalar/api-reference ${version}: ${stderr}`);
  const { metafile } = await build({
    absWorkingDir: folder,
    stdin: { contents: "export * from '@scalar/api-reference';", resolveDir: folder },
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    loader: { '.css': 'empty' },
    logLevel: 'silent',
  });
  const inputs = Object.keys(metafile.inputs);
  const folders = inputs.flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? []);
  const licences = [...new Set(folders)].sort().map((one) => licenceOf(join(folder, one)));
  const groups = [...Map.groupBy(licences, ({ text }) => withoutLineBreaks(text)).values()];
  const texts = groups.map((group) => `${group.map(({ head }) => head).join('\n')}\n\n${group[0]?.text}\n`);
  const file = join(root, 'web/docs/renderer-licences.txt');
  writeFileSync(file, texts.sort((a, b) => b.length - a.length).join(`\n${'-'.repeat(80)}\n\n`));
  console.log(`${file}: ${licences.length} packages, ${groups.length} texts`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
