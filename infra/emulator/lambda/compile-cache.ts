/** Where Node.js keeps compiled code, of functions and of the local stack itself. */
import { join } from 'node:path';

export const cache = join(import.meta.dirname, '../../../node_modules/.cache/masthead');
export const compileCache = join(cache, 'compiled');
