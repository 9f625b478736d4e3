/** Which methods a path answers, read from the contract. */
import { type ContractLine, contract } from '../contract.ts';

const routes = (contract as readonly ContractLine[]).flatMap((line) =>
  line.kind === 'endpoint' ? [{ method: line.method, segments: segmentsOf(line.path) }] : [],
);

/**
 * The methods of the endpoints at this path below the base path, one slash at its end or none; empty where there is none.
 * Where GET is answered, so is HEAD (RFC 9110, 9.3.2), and OPTIONS everywhere.
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

/** Of `/a/b/` and `/a/b` the same two; a slash too many makes an empty one, which no route has. */
function segmentsOf(path: string): string[] {
  return path.replace(/^\//, '').replace(/\/$/, '').split('/');
}
