/** Commands that people run are portable to macOS and Windows, as far as their source shows; no test has run there. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const filesIn = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => ({ where: `${folder}/${name}`, text: readFileSync(join(root, folder, name), 'utf8') }));
const manifest = v.object({ scripts: v.record(v.string(), v.string()) });

it('npm scripts use no POSIX shell syntax, because npm runs them in cmd.exe on Windows', () => {
  const { scripts } = v.parse(manifest, JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  // `exec`, a variable before the command, single quotes, substitution, redirection, `;`, and a path to a program.
  const posix = /^exec |(^|&& )\w+=|['`$;|<>]|\.\//;
  expect(Object.entries(scripts).filter(([, script]) => posix.test(script))).toEqual([]);
});

it('code checks the platform before it uses a feature of only one platform', () => {
  const files = ['functions', 'shared', 'infra'].flatMap(filesIn);
  const special = /['"`](?:\/bin\/|\/proc\/|\/dev\/|\/tmp\b|127\.(?!0\.0\.1\b))/;
  const using = files.filter(({ text }) => special.test(text));
  expect(using.map(({ where }) => where)).toEqual([
    'infra/emulator/parts/dynoxide.ts',
    'infra/emulator/parts/pid-file.ts',
  ]);
  expect(using.filter(({ text }) => !text.includes('process.platform'))).toEqual([]);
});
