/** Texts that people typed, made safe to stand in the middle of others' texts. */

/**
 * The text as one line: control characters (line breaks among them, which would end a header) become spaces, and what turns
 * the reading direction around or is invisible is dropped (Unicode general category Cf), so that a name shows as what it is.
 */
export const oneLine = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    // A joiner inside a word belongs to its spelling in some scripts, and holds emoji together.
    .replaceAll(/(?![\u200c\u200d])\p{Cf}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
