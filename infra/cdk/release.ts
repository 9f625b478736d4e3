/** The release of this project or package. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { root } from './root.ts';

const manifest = v.object({ version: v.string() });

/** The version of package.json, such as `0.2.0`. */
export const release = v.parse(manifest, JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))).version;
