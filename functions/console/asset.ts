/** `GET /console/{file}/`: the scripts and style sheets of the console, and the licences of the packages in them. */
import { join } from 'node:path';
import { assetEndpoint } from '../../shared/http/assets.ts';

export const handler = assetEndpoint('console/asset', join(import.meta.dirname, 'assets'));
