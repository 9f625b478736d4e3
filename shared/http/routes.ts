/** The methods that a path supports, read from the contract. */
import { endpointLines, isVersion, versionedLines } from '../contract.ts';

/** `/a/b/` and `/a/b` have the same segments; an additional slash makes an empty one, which no route has. */
const segmentsOf = (path: string): string[] => {
  return path.replace(/^\//, '').replace(/\/$/, '').split('/');
};

const routes = [...endpointLines(), ...versionedLines()].map(({ method, path }) => ({
  method,
  segments: segmentsOf(path),
}));

/** Returns a path's methods, none if unknown. HEAD is supported like GET (RFC 9110, 9.3.2), OPTIONS everywhere. */
export const allowedMethods = (path: string, basePath: string): string[] => {
  if (!path.startsWith(`${basePath}/`)) return [];
  const sent = segmentsOf(path.slice(basePath.length));
  const found = routes.filter(({ segments }) => isAt(segments, sent));
  // A path without parameters comes first, as at API Gateway: `/session/link/` is no session.
  const literal = found.filter(({ segments }) => segments.every((segment, at) => segment === sent[at]));
  const methods = new Set<string>((literal.length > 0 ? literal : found).map(({ method }) => method));
  if (methods.has('GET')) methods.add('HEAD');
  return methods.size === 0 ? [] : [...methods, 'OPTIONS'];
};

const isAt = (route: readonly string[], sent: readonly string[]): boolean =>
  route.length === sent.length &&
  route.every((segment, at) => {
    const value = sent[at] ?? '';
    if (segment === '{version}') return isVersion(value);
    return segment.startsWith('{') ? value !== '' : segment === value;
  });
