/** New ids: 24 lower-case hex characters that begin with the time. Types and readers are in `ids.ts`, for browsers. */
import { randomBytes } from 'node:crypto';
import { type AnyId, idTime } from './ids.ts';

/** The source of ids: 12 hex characters of the millisecond, 12 random ones. */
export const newId = <T extends AnyId>(): T => (idTime(Date.now()) + randomBytes(6).toString('hex')) as T;

/** Returns a mark for one write, by which its writer recognises it. */
export const newRevision = (): string => randomBytes(6).toString('hex');
