/** A short hint to a secret, by which two sides notice that they have different ones. The command line uses this file too. */
import { sha256 } from '../../foundation/hash.ts';

/**
 * Returns four hex characters for the secret of something with this id; null without a secret. They are enough to notice a change, and too few to
 * confirm a guess.
 */
export const secretHint = (id: string, secret: string | null | undefined): string | null =>
  secret === null || secret === undefined ? null : sha256(`${id}:${secret}`).slice(0, 4);
