/**
 * The authority of the current request: a change is sent only while the request's caller may still make it. A caller counts as checked for a second;
 * after that, the next change checks again first. So short requests cost nothing, and long ones a look at the cache of keys for each second in which
 * they change something.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { second } from './clock.ts';

interface Authority {
  /** Checks again that the caller may make the request. @throws UnauthorizedError, NoPermissionError */
  readonly check: () => Promise<void>;
  /** Epoch ms. */
  readonly clock: () => number;
  /** When the last check began. */
  checkedAt: number;
}

const current = new AsyncLocalStorage<Authority>();

/** Does the work of a request whose caller was checked at `checkedAt` (epoch ms). */
export const withAuthority = <T>(authority: Authority, work: () => Promise<T>): Promise<T> =>
  current.run(authority, work);

/** Await this before each change. It resolves at once within a second after a check, and for requests without a key. @throws as `check` */
export const confirmAuthority = async (): Promise<void> => {
  const authority = current.getStore();
  if (authority === undefined) return;
  const now = authority.clock();
  if (now - authority.checkedAt < second) return;
  await authority.check();
  authority.checkedAt = now;
};
