/** Where deliveries go: each `target_url` is checked and taken apart once, since a receiver's is the same for all of them. */
import { memoized } from '../../foundation/cache.ts';

/** Where a checked `target_url` leads. */
export interface Target {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
}

/** Gives the target of a URL, or null for one that `isAllowed` refuses. */
export const createTargets = (isAllowed: (url: string) => boolean): ((url: string) => Target | null) =>
  memoized((url) => {
    const parsed = isAllowed(url) ? URL.parse(url) : null;
    return parsed === null ? null : { origin: parsed.origin, path: `${parsed.pathname}${parsed.search}` };
  });
