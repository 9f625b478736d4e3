/** `npm run openapi`: writes `docs/openapi.json`; a test fails if the committed file differs. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readArguments } from '../command.ts';
import { openApiDocument, undescribed } from './document.ts';

readArguments({
  usage: 'npm run openapi',
  does: 'Writes docs/openapi.json from the contract, the schemas and the texts in infra/commands/openapi/operations/.',
});

writeFileSync(
  join(import.meta.dirname, '../../../docs/openapi.json'),
  `${JSON.stringify(openApiDocument(), null, 2)}\n`,
);

for (const name of undescribed())
  console.warn(`The endpoint ${name} is missing in the document. See infra/commands/openapi/operations.ts.`);
