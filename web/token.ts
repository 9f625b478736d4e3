/** Signs tokens with an Admin API key in the browser, as clients of the API do. */

/** In seconds; the server accepts no older token. */
const lifetime = 5 * 60;

const keyForm = /^([0-9a-f]{24}):([0-9a-f]{64})$/;

/** Returns a JSON Web Token for the key, `{id}:{secret}`, or undefined if the text is not a key. */
export const tokenOf = async (key: string, now: number = Date.now()): Promise<string | undefined> => {
  const [, id, secret = ''] = keyForm.exec(key.trim()) ?? [];
  if (id === undefined) return undefined;
  const issued = Math.floor(now / 1000);
  const unsigned = [
    { alg: 'HS256', typ: 'JWT', kid: id },
    { iat: issued, exp: issued + lifetime, aud: '/admin/' },
  ]
    .map((part) => base64url(new TextEncoder().encode(JSON.stringify(part))))
    .join('.');
  const bytes = Uint8Array.from(secret.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const signer = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const signature = await crypto.subtle.sign('HMAC', signer, new TextEncoder().encode(unsigned));
  return `${unsigned}.${base64url(new Uint8Array(signature))}`;
};

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
