/** The folder of the project, or of the installed package: its files are as deep in it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');

/** Whether this is the installed package, which has neither the stage table nor the sources of the functions. */
export const isPackage = !existsSync(join(root, 'functions'));
