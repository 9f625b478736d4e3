/** Tokens of customers, all of whose keys have the same secret. */
import { tokenWith } from '../../test/support/token.ts';

export const secretOfKeys = 'f'.repeat(64);

/** Returns a token of a key at a time in epoch ms. */
export const tokenOf = (key: string, now: number): string => tokenWith(`${key}:${secretOfKeys}`, {}, now);
