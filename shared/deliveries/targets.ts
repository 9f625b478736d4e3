/** Where deliveries go: each `target_url` is checked and taken apart once, since a receiver's is the same for all of them. */

/** Where a checked `target_url` leads. */
export interface Target {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
}

const remembered = 1000;

/** Gives the target of a URL, or null for one that `isAllowed` refuses; remembers a thousand. */
export function createTargets(isAllowed: (url: string) => boolean): (url: string) => Target | null {
  const targets = new Map<string, Target | null>();
  return (url) => {
    const known = targets.get(url);
    if (known !== undefined) return known;
    const parsed = isAllowed(url) ? URL.parse(url) : null;
    const target = parsed === null ? null : { origin: parsed.origin, path: `${parsed.pathname}${parsed.search}` };
    if (targets.size >= remembered) targets.clear();
    targets.set(url, target);
    return target;
  };
}
