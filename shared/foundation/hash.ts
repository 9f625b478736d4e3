/** Hashes of texts. */
import { hash } from 'node:crypto';

/** Returns the SHA-256 of a text, in lower-case hex. */
export const sha256 = (text: string): string => hash('sha256', text);
