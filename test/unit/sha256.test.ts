/** SHA-256 against independent test vectors: FIPS 180-4 for the hash, RFC 4231 for the HMAC. */
import { describe, expect, it } from 'vitest';
import { Sha256 } from '../../shared/aws/sha256.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const hex = (digest: Uint8Array) => Buffer.from(digest).toString('hex');

describe('SHA-256 for the signatures of AWS requests', () => {
  it('is a plain hash without a secret', async () => {
    const hash = new Sha256();
    hash.update(bytes('abc'));
    expect(hex(await hash.digest())).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  const jefe = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
  it.each([
    ['text', 'Jefe'],
    ['bytes', bytes('Jefe')],
    ['a part of a buffer', bytes('a Jefe b').subarray(2, 6)],
    ['an ArrayBuffer', bytes('Jefe').buffer],
  ])('is an HMAC if the secret is %s', async (_kind, secret) => {
    const hash = new Sha256(secret);
    hash.update(bytes('what do ya want '));
    hash.update(bytes('for nothing?'));
    expect(hex(await hash.digest())).toBe(jefe);
  });

  it('starts again with the same secret after a reset', async () => {
    const hash = new Sha256('Jefe');
    hash.update(bytes('something else'));
    hash.reset();
    hash.update(bytes('what do ya want for nothing?'));
    expect(hex(await hash.digest())).toBe(jefe);
  });
});
