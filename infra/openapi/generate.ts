/** `npm run openapi`: writes `docs/openapi.json`; a test fails if the committed file differs. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { command, run } from '../command-line/command.ts';
import { openApiDocument, undescribed } from './document.ts';
import { eventTypes } from './event-types.ts';

await run(
  command('npm run openapi --')
    .description(
      'Writes docs/openapi.json and docs/events.d.ts from the contract, the schemas and the texts in infra/openapi/operations/.',
    )
    .action(() => {
      const docs = join(import.meta.dirname, '../../docs');
      writeFileSync(join(docs, 'openapi.json'), `${JSON.stringify(openApiDocument(), null, 2)}\n`);
      writeFileSync(join(docs, 'events.d.ts'), eventTypes());
      for (const name of undescribed())
        console.warn(`The endpoint ${name} is missing in the document. See infra/openapi/operations.ts.`);
    }),
);
