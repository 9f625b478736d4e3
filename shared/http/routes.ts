/** The methods that a path supports, read from the contract. */
import { endpointLines } from '../contract.ts';

/** `/a/b/` and `/a/b` have the same segments; an additional slash makes an empty one, which no route has. */
const segmentsOf = (path: string): string[] => {
  return path.replace(/^\//, '').replace(/\/$/, '').split('/');
};

const routes = endpointLines().map(({ method, path }) => ({ method, segments: segmentsOf(path) }));

/**
 * Returns the methods that a path supports, with or without a trailing slash; none for an unknown path. HEAD is supported
 * wherever GET is (RFC 9110, 9.3.2), OPTIONS everywhere.
 */
export const allowedMethods = (path: string, basePath: string): string[] => {
  if (!path.startsWith(`${basePath}/`)) return [];
  const sent = segmentsOf(path.slice(basePath.length));
  const methods = new Set<string>(routes.filter(({ segments }) => isAt(segments, sent)).map(({ method }) => method));
  if (methods.has('GET')) methods.add('HEAD');
  return methods.size === 0 ? [] : [...methods, 'OPTIONS'];
};

const isAt = (route: readonly string[], sent: readonly string[]): boolean =>
  route.length === sent.length &&
  route.every((segment, at) => (segment.startsWith('{') ? sent[at] !== '' : segment === sent[at]));
