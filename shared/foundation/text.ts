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
