/** `npm run docs:cli`: writes the help of every command of `npm run ops` into docs/cli.md; a test fails if the committed file differs. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { command, run } from '../command-line/command.ts';
import { ops } from './program.ts';
import { marker, reference } from './reference.ts';

const file = join(import.meta.dirname, '../../docs/cli.md');

await run(
  command('npm run docs:cli --')
    .description('Writes the help of every command of npm run ops into docs/cli.md, below its marker.')
    .action(() => {
      const [written = ''] = readFileSync(file, 'utf8').split(marker);
      writeFileSync(file, `${written}${marker}\n\n${reference(ops)}`);
    }),
);
