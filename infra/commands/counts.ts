/** `npm run -s counts [-- --json]`: prints what the functions of the running stack have used since its start. */
import * as v from 'valibot';
import { countsSchema } from '../emulator/edge/count.ts';
import { runCommand } from './command.ts';
import { countsTable } from './counts-table.ts';
import { findHome, readStackFile } from './home.ts';

await runCommand(
  {
    usage: 'npm run -s counts [-- options]',
    summary: 'Prints what the functions of the running stack have used since its start, as AWS would bill it.',
    options: { json: { type: 'boolean', description: 'Print JSON, with the calls by action.' } },
    notes: 'docs/local.md explains the columns.',
  },
  async ({ values }) => {
    const response = await fetch(`${readStackFile(findHome()).edge}/counts`);
    const counts = v.parse(countsSchema, await response.json());
    console.log(values.json ? JSON.stringify(counts, null, 2) : countsTable(counts));
  },
);
