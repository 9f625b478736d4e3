/** Tokens: `Authorization: Ghost <jwt>`, signed with an Admin API key (docs/compatibility.md, "Authentication"). */
import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose';
import { BadRequestError, NoPermissionError, UnauthorizedError } from '../foundation/errors.ts';
import { type ApiKeyId, idPattern } from '../foundation/ids.ts';

// jose uses it for the first token. Node loads it on first use: now, while INIT has a full CPU.
void globalThis.crypto?.subtle;

/** The maximum age of a token, and how far the clock of a client may be ahead, in seconds. */
const tolerance = 5 * 60;

const howTo =
  'Sign a token with your Admin API key (https://docs.ghost.org/admin-api/#token-authentication) and send it as `Authorization: Ghost <token>`.';

/** A well-formed token and the key it names; not verified yet. */
export interface Token {
  readonly jwt: string;
  readonly kid: ApiKeyId;
}

/**
 * Reads the Authorization header; nothing in it is verified yet.
 * @throws NoPermissionError, UnauthorizedError, BadRequestError
 */
export const readToken = (authorization: string | undefined): Token => {
  if (authorization === undefined || authorization.trim() === '')
    throw new NoPermissionError('The request has no credentials.', { help: howTo });
  const [scheme, jwt, ...rest] = authorization.trim().split(/\s+/);
  if (scheme?.toLowerCase() !== 'ghost' || jwt === undefined || rest.length > 0)
    throw new UnauthorizedError('The Authorization header must have the form `Ghost <token>`.', {
      code: 'INVALID_AUTH_HEADER',
      help: howTo,
    });
  const { kid } = headerOf(jwt);
  if (typeof kid !== 'string' || kid === '')
    throw new BadRequestError('The header of the token has no `kid`.', {
      code: 'MISSING_ADMIN_API_KID',
      help: 'Set `kid` to the part of the Admin API key before the colon.',
    });
  if (!idPattern.test(kid)) throw unknownKey();
  return { jwt, kid: kid as ApiKeyId };
};

/** Returns the header of a token: three parts, two of them JSON objects; the signature may be empty. */
const headerOf = (jwt: string): { readonly kid?: unknown } => {
  try {
    if (!/^[\w-]+\.[\w-]+\.[\w-]*$/.test(jwt)) throw new TypeError('A JSON Web Token has three parts.');
    decodeJwt(jwt);
    return decodeProtectedHeader(jwt);
  } catch (cause) {
    throw new BadRequestError('The value after `Ghost` in the Authorization header is not a JSON Web Token.', {
      code: 'INVALID_JWT',
      help: howTo,
      cause,
    });
  }
};

export const unknownKey = (): UnauthorizedError =>
  new UnauthorizedError('No Admin API key has the `kid` of the token.', {
    code: 'UNKNOWN_ADMIN_API_KEY',
    help: 'The key may have been deleted. Use a current key, and set `kid` to the part before its colon.',
  });

/**
 * Verifies signature, algorithm, audience and times of a token.
 * @param secret the key's secret, 64 hex characters
 * @param now epoch ms
 * @throws UnauthorizedError with code INVALID_JWT
 */
export const verifyToken = async (token: Token, secret: string, now: number): Promise<void> => {
  let claims: JWTPayload;
  try {
    ({ payload: claims } = await jwtVerify(token.jwt, Buffer.from(secret, 'hex'), {
      algorithms: ['HS256'],
      currentDate: new Date(now),
    }));
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw invalid('it has expired (`exp`)', error);
    if (error instanceof errors.JWTClaimValidationFailed) throw invalid(`the claim \`${error.claim}\` failed`, error);
    if (error instanceof errors.JOSEAlgNotAllowed) throw invalid('it is not signed with HS256', error);
    if (error instanceof errors.JWSSignatureVerificationFailed)
      throw invalid('the signature does not match the key', error);
    throw invalid('its header is not that of a token signed with HS256', error);
  }
  const audiences = Array.isArray(claims.aud) ? claims.aud : [claims.aud];
  if (!audiences.some((audience) => typeof audience === 'string' && /\/?admin\/?$/.test(audience)))
    throw invalid('the audience (`aud`) must be `/admin/`');
  if (typeof claims.iat !== 'number') throw invalid('it has no time of issue (`iat`)');
  // Tokens count whole seconds.
  const age = Math.floor(now / 1000) - claims.iat;
  if (age > tolerance) throw invalid(`it was issued (\`iat\`) ${age} seconds ago; the limit is ${tolerance}`);
  if (age < -tolerance) throw invalid(`it was issued (\`iat\`) ${-age} seconds in the future; check the clock`);
};

const invalid = (reason: string, cause?: unknown): UnauthorizedError =>
  new UnauthorizedError(`The token is not valid: ${reason}.`, { code: 'INVALID_JWT', help: howTo, cause });
