/** The revision that a measurement reports. */
import { execFileSync } from 'node:child_process';

/** Returns the commit of this checkout, abbreviated. */
export const headRevision = (): string =>
  execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
