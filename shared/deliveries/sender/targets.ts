/** The targets of deliveries: each `target_url` is checked and parsed once, because it is the same for all deliveries of a webhook. */
import { memoized } from '../../foundation/cache.ts';

/** The parts of a checked `target_url`. */
export interface Target {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
}

/** Returns the target of a URL, or null if `isAllowed` refuses it. */
export const createTargets = (isAllowed: (url: string) => boolean): ((url: string) => Target | null) =>
  memoized((url) => {
    const parsed = isAllowed(url) ? URL.parse(url) : null;
    return parsed === null ? null : { origin: parsed.origin, path: `${parsed.pathname}${parsed.search}` };
  });
