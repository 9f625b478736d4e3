/**
 * The authority of the current request: changes are sent only while its caller may still make them. A check counts for
 * a second; the next change after it checks again. So short requests need none, and long ones few looks at the cache.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { second } from './clock.ts';

interface Authority {
  /** Checks again that the caller may make the request. @throws UnauthorizedError, NoPermissionError */
  readonly check: () => Promise<void>;
  /** Epoch ms. */
  readonly clock: () => number;
  checkedAt: number;
}

const current = new AsyncLocalStorage<Authority>();

/** Does the work of a request whose caller was checked at `checkedAt` (epoch ms). */
export const withAuthority = <T>(authority: Authority, work: () => Promise<T>): Promise<T> =>
  current.run(authority, work);

/** Await this before each change. Resolves at once for a second after a check, or without a key. @throws as `check` */
export const confirmAuthority = async (): Promise<void> => {
  const authority = current.getStore();
  if (authority === undefined) return;
  const now = authority.clock();
  if (now - authority.checkedAt < second) return;
  await authority.check();
  authority.checkedAt = now;
};
