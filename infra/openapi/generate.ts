/** `npm run openapi`: writes `docs/openapi.json`; a test fails if the committed file differs. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { command, run } from '../command-line/command.ts';
import { openApiDocument } from './document.ts';
import { eventTypes } from './event-types.ts';

await run(
  command('npm run openapi --')
    .description(
      'Writes docs/openapi.json and docs/events.d.ts from the contract, the schemas and what each function says ' +
        'about itself.',
    )
    .action(() => {
      const docs = join(import.meta.dirname, '../../docs');
      writeFileSync(join(docs, 'openapi.json'), `${JSON.stringify(openApiDocument(), null, 2)}\n`);
      writeFileSync(join(docs, 'events.d.ts'), eventTypes());
    }),
);
