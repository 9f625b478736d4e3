/** `npm run -s counts [-- --json]`: what the functions of the running stack have used since its start, as a table or as JSON. */
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { countsSchema } from './edge/count.ts';
import { countsTable } from './edge/counts-table.ts';
import { findHome, readStackFile } from './home.ts';

const help = `npm run -s counts [-- options]   what the functions of the running stack have used since its start

  --json   as JSON, also at <edge>/counts (the edge's address stands in .masthead/stack.json)
  --help   this text

docs/local.md explains the columns.`;

try {
  const { values } = parseArgs({ options: { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } });
  if (values.help) console.log(help);
  else {
    const response = await fetch(`${readStackFile(findHome()).edge}/counts`);
    const counts = v.parse(countsSchema, await response.json());
    console.log(values.json ? JSON.stringify(counts, null, 2) : countsTable(counts));
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
