/** The forms in which a secret can stand in a file: as it is, and in the encodings that programs put it into. */

const unpadded = (text: string): string => text.replace(/=+$/, '');

/**
 * Returns the base64 of a text within the base64 of a longer one, whose earlier bytes shift it by 0, 1 or 2 places: the
 * characters at both ends that depend on the neighbours are omitted.
 */
const withinBase64 = (text: string): string[] =>
  [0, 1, 2].map((shift) => {
    const encoded = unpadded(Buffer.concat([Buffer.alloc(shift), Buffer.from(text)]).toString('base64'));
    return encoded.slice(shift === 0 ? 0 : shift + 1, -1);
  });

const urlAlphabet = (encoded: string): string => encoded.replaceAll('+', '-').replaceAll('/', '_');

/** Returns all forms of a secret as bytes, each at least 12 of them. */
export const formsOf = (secret: string): Buffer[] => {
  const texts = new Set([
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString('hex'),
    ...withinBase64(secret),
    ...withinBase64(secret).map(urlAlphabet),
  ]);
  const keys: Buffer[] = [];
  if (/^(?:[0-9a-f]{2})+$/.test(secret)) keys.push(Buffer.from(secret, 'hex'));
  if (secret.startsWith('whsec_')) {
    texts.add(unpadded(secret.slice('whsec_'.length)));
    keys.push(Buffer.from(secret.slice('whsec_'.length), 'base64'));
  }
  for (const key of keys)
    for (const encoding of ['hex', 'base64', 'base64url'] as const) texts.add(unpadded(key.toString(encoding)));
  return [...[...texts].map((text) => Buffer.from(text)), ...keys].filter(({ length }) => length >= 12);
};
