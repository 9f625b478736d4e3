/** `npm run openapi`: writes `docs/openapi.json`; a test fails if the committed file differs. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { command, run } from '../command.ts';
import { openApiDocument, undescribed } from './document.ts';

await run(
  command('npm run openapi --')
    .description(
      'Writes docs/openapi.json from the contract, the schemas and the texts in infra/commands/openapi/operations/.',
    )
    .action(() => {
      const file = join(import.meta.dirname, '../../../docs/openapi.json');
      writeFileSync(file, `${JSON.stringify(openApiDocument(), null, 2)}\n`);
      for (const name of undescribed())
        console.warn(`The endpoint ${name} is missing in the document. See infra/commands/openapi/operations.ts.`);
    }),
);
