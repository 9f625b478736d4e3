/** Cleans text that people typed, so that it is safe inside other text. */

/**
 * Returns the text as one line: control characters become spaces, because a line break would end a header, and characters that
 * are invisible or change the reading direction (Unicode general category Cf) are removed.
 */
export const oneLine = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    // Joiners are part of the spelling in some scripts, and of emoji.
    .replaceAll(/(?![\u200c\u200d])\p{Cf}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Returns a readable name such as `our-shop` for `Our shop!`, as Ghost does; `otherwise` where no letter or digit is left. */
export const slugOf = (name: string, otherwise: string): string =>
  name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 191) || otherwise;
