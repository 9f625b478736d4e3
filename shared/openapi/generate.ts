/** `npm run openapi`: writes `docs/openapi.json`, which a test holds to what would be written. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiDocument, undescribed } from './document.ts';

writeFileSync(join(import.meta.dirname, '../../docs/openapi.json'), `${JSON.stringify(openApiDocument(), null, 2)}\n`);

for (const name of undescribed())
  console.warn(`The endpoint ${name} is not in it: shared/openapi/operations.ts says how to describe it.`);
