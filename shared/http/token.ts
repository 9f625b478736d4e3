/** Tokens: `Authorization: Ghost <jwt>`, signed with an Admin API key (docs/compatibility.md, "Authentication"). */
import { BadRequestError, NoPermissionError, UnauthorizedError } from '../foundation/errors.ts';
import { type ApiKeyId, idPattern } from '../foundation/ids.ts';
import { isSignedWith, type Jwt, parseJwt } from './jwt.ts';

/** The maximum age of a token, and how far the clock of a client may be ahead, in seconds. */
const tolerance = 5 * 60;

const howTo =
  'Sign a token with your Admin API key (https://docs.ghost.org/admin-api/#token-authentication) and send it as ' +
  '`Authorization: Ghost <token>`.';

/** A well-formed token and the key it names; not verified yet. */
export interface Token {
  readonly jwt: Jwt;
  readonly kid: ApiKeyId;
}

/** Reads `Authorization` without verifying it. @throws NoPermissionError, UnauthorizedError, BadRequestError */
export const readToken = (authorization: string | undefined): Token => {
  if (authorization === undefined || authorization.trim() === '')
    throw new NoPermissionError('The request has no credentials.', { help: howTo });
  const [scheme, text, ...rest] = authorization.trim().split(/\s+/);
  if (scheme?.toLowerCase() !== 'ghost' || text === undefined || rest.length > 0)
    throw new UnauthorizedError('The Authorization header must have the form `Ghost <token>`.', {
      code: 'INVALID_AUTH_HEADER',
      help: howTo,
    });
  const jwt = jwtOf(text);
  const { kid } = jwt.header;
  if (typeof kid !== 'string' || kid === '')
    throw new BadRequestError('The header of the token has no `kid`.', {
      code: 'MISSING_ADMIN_API_KID',
      help: 'Set `kid` to the part of the Admin API key before the colon.',
    });
  if (!idPattern.test(kid)) throw unknownKey();
  return { jwt, kid: kid as ApiKeyId };
};

const jwtOf = (text: string): Jwt => {
  try {
    return parseJwt(text);
  } catch (cause) {
    throw new BadRequestError('The value after `Ghost` in the Authorization header is not a JSON Web Token.', {
      code: 'INVALID_JWT',
      help: howTo,
      cause,
    });
  }
};

/** Returns the error for a token that names an unknown or deleted key. */
export const unknownKey = (): UnauthorizedError =>
  new UnauthorizedError('No Admin API key has the `kid` of the token.', {
    code: 'UNKNOWN_ADMIN_API_KEY',
    help: 'The key may have been deleted. Use a current key, and set `kid` to the part before its colon.',
  });

/** Verifies signature, algorithm, audience and times with a key's `secret` (64 hex). @throws UnauthorizedError */
export const verifyToken = ({ jwt }: Token, secret: string, now: number): void => {
  const { header, claims } = jwt;
  // Extensions that must be understood (RFC 7515, `crit`) are unknown here.
  if (typeof header.alg !== 'string' || header.crit !== undefined)
    throw invalid('its header is not that of a token signed with HS256');
  if (header.alg !== 'HS256') throw invalid('it is not signed with HS256');
  if (!isSignedWith(jwt, Buffer.from(secret, 'hex'))) throw invalid('the signature does not match the key');
  // Tokens count whole seconds.
  const seconds = Math.floor(now / 1000);
  const [iat, nbf = 0, exp = Number.POSITIVE_INFINITY] = (['iat', 'nbf', 'exp'] as const).map((name) => {
    const time = claims[name];
    if (time !== undefined && typeof time !== 'number') throw invalid(`the claim \`${name}\` failed`);
    return time;
  });
  if (nbf > seconds) throw invalid('the claim `nbf` failed');
  if (exp <= seconds) throw invalid('it has expired (`exp`)');
  const audiences = Array.isArray(claims.aud) ? claims.aud : [claims.aud];
  if (!audiences.some((audience) => typeof audience === 'string' && /\/?admin\/?$/.test(audience)))
    throw invalid('the audience (`aud`) must be `/admin/`');
  if (iat === undefined) throw invalid('it has no time of issue (`iat`)');
  const age = seconds - iat;
  if (age > tolerance) throw invalid(`it was issued (\`iat\`) ${age} seconds ago; the limit is ${tolerance}`);
  if (age < -tolerance) throw invalid(`it was issued (\`iat\`) ${-age} seconds in the future; check the clock`);
};

const invalid = (reason: string): UnauthorizedError =>
  new UnauthorizedError(`The token is not valid: ${reason}.`, { code: 'INVALID_JWT', help: howTo });
