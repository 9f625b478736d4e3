/** `GET /admin/docs/{file}/`: the scripts and style sheets of the documentation page, and the licences of the packages in them. */
import { join } from 'node:path';
import { assetEndpoint } from '../../shared/http/assets.ts';

export const handler = assetEndpoint('openapi/asset', join(import.meta.dirname, 'assets'));
