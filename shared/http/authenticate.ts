/** Finds the caller of a request by token or session cookie, and checks that the endpoint is for this caller. */
import { log } from '../aws/log.ts';
import { type Caller as AllowedCaller, type EndpointLine, namedRoles } from '../contract.ts';
import type { Caller, Credentials } from '../foundation/caller.ts';
import { NoPermissionError, UnauthorizedError } from '../foundation/errors.ts';
import type { Scope } from '../foundation/scopes.ts';
import { callerNames } from './caller-names.ts';
import { readSessionCookie } from './cookie.ts';
import type { HttpRequest } from './request.ts';
import { requireSameOrigin } from './same-origin.ts';
import { readToken, unknownKey, verifyToken } from './token.ts';

/**
 * Returns the caller; `Authorization` takes precedence over a cookie.
 * @throws as readToken and verifyToken; UnauthorizedError (unknown key or session, suspended); NoPermissionError
 */
export const authenticate = async (
  request: HttpRequest,
  credentials: Credentials,
  line: EndpointLine,
  now: number,
): Promise<Caller> => {
  const cookie = request.headers.authorization === undefined ? readSessionCookie(request.headers) : undefined;
  const caller =
    cookie === undefined
      ? await callerOfToken(request, credentials, now)
      : await callerOfCookie(request, credentials, cookie);
  // Shows which keys are in use (`ops doctor`).
  log.add({ key_id: caller.keyId, ...(caller.kind === 'staff' && { session_id: caller.sessionId }) });
  if (caller.kind === 'staff' && caller.isSuspended === true)
    throw new UnauthorizedError('Your account is suspended.', {
      code: 'USER_SUSPENDED',
      help: 'Ask the Owner or an Administrator.',
    });
  checkAllowed(caller, line);
  await credentials.noteUse(caller, now);
  return caller;
};

/** Returns whether a request has a valid signature or cookie of a key or session that was found here before. */
export const isFromKnownCaller = ({ headers }: HttpRequest, { key, session }: Credentials, now: number): boolean => {
  try {
    if (headers.authorization === undefined) return session.isKnown(readSessionCookie(headers) ?? '');
    const token = readToken(headers.authorization);
    const secret = key.known(token.kid);
    if (secret !== undefined) verifyToken(token, secret, now);
    return secret !== undefined;
  } catch {
    return false;
  }
};

/** Authenticates again during a request, with its `now`. @throws as before, or if the caller's role has changed */
export const authenticateAgain = async (caller: Caller, ...request: Parameters<typeof authenticate>): Promise<void> => {
  const roleOf = (one: Caller) => (one.kind === 'staff' ? one.role : undefined);
  if (roleOf(await authenticate(...request)) !== roleOf(caller))
    throw new NoPermissionError('Your role has changed while the request was under way.', { help: 'Retry.' });
};

const callerOfToken = async (request: HttpRequest, { key }: Credentials, now: number): Promise<Caller> => {
  const token = readToken(request.headers.authorization);
  const found = await key(token.kid);
  if (found === undefined) throw unknownKey();
  verifyToken(token, found.secret, now);
  return found.caller;
};

const callerOfCookie = async (request: HttpRequest, { session }: Credentials, cookie: string): Promise<Caller> => {
  requireSameOrigin(request);
  const caller = await session(cookie);
  if (caller === undefined)
    throw new UnauthorizedError('The session has ended, or never existed.', {
      code: 'INVALID_SESSION',
      help: 'Sign in again.',
    });
  return caller;
};

/** Endpoints that neither just read nor change webhooks. Inviters need role ids; previews and trials show events. */
const others: Readonly<Record<string, readonly Scope[]>> = {
  'events/publish': ['publish'],
  'invites/create': ['invites'],
  'roles/list': ['invites', 'read'],
  'webhooks/preview': ['read'],
  'webhooks/try-filter': ['read'],
};

/** Returns the scopes of which a key must have one; a key without scopes may call all endpoints of integrations. */
export const scopesOf = ({ function: name, method }: Pick<EndpointLine, 'function' | 'method'>): readonly Scope[] =>
  others[name] ?? [method === 'GET' ? 'read' : 'webhooks'];

const listed = (scopes: readonly Scope[], separator = ', '): string =>
  scopes.map((scope) => `\`${scope}\``).join(separator);

const checkAllowed = (caller: Caller, line: EndpointLine): void => {
  // Only these roles are compared by name: a stage may call a custom role `integration`.
  const kinds: readonly AllowedCaller[] =
    caller.kind === 'integration' ? ['integration'] : ['staff', ...namedRoles.filter((role) => role === caller.role)];
  if (!line.callers.some((allowed) => kinds.includes(allowed)))
    throw new NoPermissionError(
      caller.kind === 'integration'
        ? 'The key of an integration cannot use this endpoint.'
        : `Your role, ${caller.role}, cannot use this endpoint.`,
      { help: `Allowed callers: ${line.callers.map((allowed) => callerNames[allowed]).join(', ')}.` },
    );
  const { scopes } = caller.kind === 'integration' ? caller : {};
  const needed = scopesOf(line);
  if (scopes !== undefined && !needed.some((scope) => scopes.includes(scope)))
    throw new NoPermissionError(
      `The key is limited to ${listed(scopes)}; this endpoint needs ${listed(needed, ' or ')}.`,
      {
        help:
          'Use another key of the integration, or have an Owner or Administrator refresh this one ' +
          'with more `scopes`.',
      },
    );
};
