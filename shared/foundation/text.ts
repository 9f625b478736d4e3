/** Cleans text that people typed, so that it is safe inside other text. */

/** Returns a text as one line, without control characters (which would end a header) and invisible ones (Cf). */
export const oneLine = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    // Joiners are part of the spelling in some scripts, and of emoji.
    .replaceAll(/(?![\u200c\u200d])\p{Cf}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Whether a text breaks lines, or has characters that are invisible or change the reading direction. */
export const hasControls = (text: string): boolean => /[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/u.test(text);

/** Returns a text as browsers and mail programs read addresses: usual letters and dots (UTS 46), nothing invisible. */
export const asAddress = (text: string): string =>
  text
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFKC')
    .replaceAll('\u3002', '.');

/** Whether a text has a web address. */
export const hasWebAddress = (text: string): boolean => /:\/\/|\bwww\./i.test(asAddress(text));

/** Whether a text shows nothing: Braille's blank and the fillers of Hangul look empty, too. */
export const isBlank = (text: string): boolean =>
  !/[\p{L}\p{N}\p{P}\p{S}]/u.test(text.replaceAll(/[\p{Default_Ignorable_Code_Point}\u2800]/gu, ''));

/** Returns the text with a word joiner (U+2060) after inner dots, so that mail programs link no part of it. */
export const unlinked = (text: string): string => text.replaceAll(/\.(?=\S)/g, '.\u2060');

/** Returns the beginning of a long text with an ellipsis, at most `length` characters. */
export const beginningOf = (text: string, length: number): string => {
  const characters = [...text];
  return characters.length <= length
    ? text
    : `${characters
        .slice(0, length - 1)
        .join('')
        .trimEnd()}…`;
};

/** Returns a readable name such as `our-shop` for `Our shop!`, as Ghost does; `otherwise` if nothing is left. */
export const slugOf = (name: string, otherwise: string): string =>
  name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 191) || otherwise;
