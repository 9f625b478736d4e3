/** A short hint to a secret, by which two sides notice a difference. The command line uses this file too. */
import { sha256 } from '../../foundation/hash.ts';

/** Returns four hex characters for the secret of this id: enough to notice a change, too few to confirm a guess. */
export const secretHint = (id: string, secret: string | null | undefined): string | null =>
  secret === null || secret === undefined ? null : sha256(`${id}:${secret}`).slice(0, 4);
