/** `npm run build`: bundles the functions and the console, and prints the size of the console. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleFunctions } from '../cdk/bundle.ts';
import { buildConsole } from '../cdk/console.ts';
import { command, run } from '../command-line/command.ts';

await run(
  command('npm run build --')
    .description(
      'Bundles the functions and the console, which a deployment and the local stack also do by themselves, and ' +
        'prints the size of each file of the console by part.',
    )
    .action(async () => {
      await bundleFunctions();
      console.log(readFileSync(join(await buildConsole(), 'sizes.txt'), 'utf8'));
    }),
);
