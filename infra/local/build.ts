/** `npm run build`: bundles the functions and the console, and prints the size of the console. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleFunctions } from '../cdk/bundle.ts';
import { buildConsole, type FileSize } from '../cdk/console.ts';
import { command, run } from '../command-line/command.ts';

const kib = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KiB`.padStart(10);

/** Prints the size of every file by part, and that of the first view. */
const printSizes = (folder: string): void => {
  const sizes: readonly FileSize[] = JSON.parse(readFileSync(join(folder, 'sizes.json'), 'utf8'));
  for (const { file, first, bytes, gzip, parts } of sizes) {
    console.log(`${file.padEnd(36)}${kib(bytes)}${kib(gzip)} gzip${first ? '  first view' : ''}`);
    for (const [part, size] of Object.entries(parts)) console.log(`  ${part.padEnd(34)}${kib(size)}`);
  }
  const first = sizes.filter((size) => size.first).reduce((sum, { gzip }) => sum + gzip, 0);
  console.log(`The first view of the console: ${kib(first).trim()} gzip`);
};

await run(
  command('npm run build --')
    .description(
      'Bundles the functions and the console, which a deployment and the local stack also do by themselves, and prints the size of each file of the console by part.',
    )
    .action(async () => {
      await bundleFunctions();
      printSizes(await buildConsole());
    }),
);
