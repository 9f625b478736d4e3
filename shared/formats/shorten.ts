/** Shortens text to a service's limit, without cutting a character in two or letting its content act as markup. */

/**
 * Characters that change how text after them is drawn (Unicode's bidirectional embeddings, overrides and isolates), and control
 * characters but for line breaks.
 */
const unsafe = /(?!\n)[\p{Cc}\u2028-\u202e\u2066-\u2069\ufeff]/gu;

const ellipsis = '…';

/** Turns one character into what stands for it in a service's markup. */
export type Escape = (character: string) => string;

/** Returns the text with every lone surrogate replaced, and without unsafe characters. */
export const cleaned = (text: string): string => text.toWellFormed().replace(unsafe, ' ');

/**
 * Returns the text, cleaned and escaped, shortened with an ellipsis to at most `limit` UTF-16 code units after escaping: services that
 * count characters count no more.
 */
export const shorten = (text: string, limit: number, escaped: Escape = (character) => character): string => {
  let fitted = '';
  /** What of it leaves room for the ellipsis. */
  let short = '';
  // A character has at least one code unit, so that the rest of a long text is never read.
  const start = text.length <= limit + 1 ? text : text.slice(0, limit + 1).replace(/[\ud800-\udbff]$/, '');
  for (const character of cleaned(start).trim()) {
    const written = escaped(character);
    if (fitted.length + written.length > limit) return short + ellipsis;
    fitted += written;
    if (fitted.length + ellipsis.length <= limit) short = fitted;
  }
  return text.length > limit + 1 ? short + ellipsis : fitted;
};
