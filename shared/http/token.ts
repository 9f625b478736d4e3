/** The official client's tokens: `Authorization: Ghost <jwt>`, signed with an Admin API key (wire contract, "Authentication"). */
import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose';
import { BadRequestError, NoPermissionError, UnauthorizedError } from '../foundation/errors.ts';
import { idPattern, type KeyId } from '../foundation/ids.ts';

/** Longest age of a token, and how far a client's clock may be ahead, in seconds (wire contract). */
const tolerance = 5 * 60;

const howTo =
  'Sign a token with your Admin API key (https://docs.ghost.org/admin-api/#token-authentication) and send it as `Authorization: Ghost <token>`.';

/** A token that has the right form, and the key that it names. */
export interface Token {
  readonly jwt: string;
  readonly kid: KeyId;
}

/**
 * Reads the header, without trusting anything in it yet.
 * @throws NoPermissionError, UnauthorizedError, BadRequestError as in the contract's table
 */
export const readToken = (authorization: string | undefined): Token => {
  if (authorization === undefined || authorization.trim() === '')
    throw new NoPermissionError('This request has no credentials.', { help: howTo });
  const [scheme, jwt, ...rest] = authorization.trim().split(/\s+/);
  if (scheme?.toLowerCase() !== 'ghost' || jwt === undefined || rest.length > 0)
    throw new UnauthorizedError('The Authorization header is not of the form `Ghost <token>`.', {
      code: 'INVALID_AUTH_HEADER',
      help: howTo,
    });
  const { kid } = headerOf(jwt);
  if (typeof kid !== 'string' || kid === '')
    throw new BadRequestError('The token does not say which key signed it: its header has no `kid`.', {
      code: 'MISSING_ADMIN_API_KID',
      help: 'Put the part of the Admin API key before the colon into the header of the token, as `kid`.',
    });
  if (!idPattern.test(kid)) throw unknownKey();
  return { jwt, kid: kid as KeyId };
};

/** The header of what has the form of a token: three parts, two of them JSON objects, the signature perhaps empty. */
const headerOf = (jwt: string): { readonly kid?: unknown } => {
  try {
    if (!/^[\w-]+\.[\w-]+\.[\w-]*$/.test(jwt)) throw new TypeError('A JSON Web Token has three parts.');
    decodeJwt(jwt);
    return decodeProtectedHeader(jwt);
  } catch (cause) {
    throw new BadRequestError('What follows `Ghost` in the Authorization header is not a JSON Web Token.', {
      code: 'INVALID_JWT',
      help: howTo,
      cause,
    });
  }
};

export const unknownKey = (): UnauthorizedError =>
  new UnauthorizedError('No Admin API key has the id that the token names.', {
    code: 'UNKNOWN_ADMIN_API_KEY',
    help: 'The key may have been deleted. Take a current one, and send the part before its colon as `kid`.',
  });

/**
 * Checks signature, algorithm, audience and times of a token.
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
    if (error instanceof errors.JWTClaimValidationFailed)
      throw invalid(`its claim \`${error.claim}\` does not hold`, error);
    if (error instanceof errors.JOSEAlgNotAllowed) throw invalid('it is not signed with HS256', error);
    if (error instanceof errors.JWSSignatureVerificationFailed)
      throw invalid('its signature is not that of the key it names', error);
    throw invalid('its header is not that of a token signed with HS256', error);
  }
  const audiences = Array.isArray(claims.aud) ? claims.aud : [claims.aud];
  if (!audiences.some((audience) => typeof audience === 'string' && /\/?admin\/?$/.test(audience)))
    throw invalid('its audience (`aud`) is not `/admin/`');
  if (typeof claims.iat !== 'number') throw invalid('it does not say when it was issued (`iat`)');
  // Tokens count whole seconds, and so does the time they are compared with.
  const age = Math.floor(now / 1000) - claims.iat;
  if (age > tolerance) throw invalid(`it was issued (\`iat\`) ${age} seconds ago, and ${tolerance} are allowed`);
  if (age < -tolerance) throw invalid(`it was issued (\`iat\`) ${-age} seconds in the future; check your clock`);
};

const invalid = (reason: string, cause?: unknown): UnauthorizedError =>
  new UnauthorizedError(`The token is not valid: ${reason}.`, { code: 'INVALID_JWT', help: howTo, cause });
