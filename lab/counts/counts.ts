/** `npm --prefix lab run -s counts [-- --json]`: prints what the running stack's functions have used so far. */
import * as v from 'valibot';
import { command, run } from '../../infra/command-line/command.ts';
import { countsSchema } from '../../infra/emulator/proxy/count.ts';
import { findHome, readStackFile } from '../../infra/local/home.ts';
import { countsTable } from './counts-table.ts';

await run(
  command('npm --prefix lab run -s counts --')
    .description(
      'Prints what the functions of the running stack have used since its start, as AWS would bill it. ' +
        'docs/local.md explains the columns.',
    )
    .option('--json', 'Print JSON, with the calls by action.')
    .action(async ({ json }) => {
      const response = await fetch(`${readStackFile(findHome()).proxy}/counts`);
      const counts = v.parse(countsSchema, await response.json());
      console.log(json ? JSON.stringify(counts, null, 2) : countsTable(counts));
    }),
);
