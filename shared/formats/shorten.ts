/** Shortens text to a service's limit, without cutting a character in two or letting its content act as markup. */

/** Characters that change how later text is drawn (Unicode's bidirectional ones), and controls but for line breaks. */
const unsafe = /(?!\n)[\p{Cc}\u2028-\u202e\u2066-\u2069\ufeff]/gu;

const ellipsis = '…';

/** Escapes each character that has a meaning in a service's markup, one by one, whatever is next to it. */
export type Escape = (text: string) => string;

/** Returns the text with every lone surrogate replaced, and without unsafe characters. */
export const cleaned = (text: string): string => text.toWellFormed().replace(unsafe, ' ');

/** Returns the text, cleaned, escaped and shortened with an ellipsis to at most `limit` UTF-16 units after escaping. */
export const shorten = (text: string, limit: number, escaped: Escape = (plain) => plain): string => {
  // A character has at least one code unit, so that the rest of a long text is never read.
  const start = text.length <= limit + 1 ? text : text.slice(0, limit + 1).replace(/[\ud800-\udbff]$/, '');
  const plain = cleaned(start).trim();
  const whole = escaped(plain);
  return whole.length <= limit && text.length <= limit + 1 ? whole : cut(plain, limit, escaped);
};

/** Returns the longest beginning that leaves room for an ellipsis, by binary search: escaping never shortens. */
const cut = (plain: string, limit: number, escaped: Escape): string => {
  const beginning = (length: number): string => escaped(plain.slice(0, length).replace(/[\ud800-\udbff]$/, ''));
  let [fits, isOver] = [0, Math.min(plain.length, limit) + 1];
  while (isOver - fits > 1) {
    const middle = (fits + isOver) >> 1;
    if (beginning(middle).length + ellipsis.length <= limit) fits = middle;
    else isOver = middle;
  }
  return beginning(fits) + ellipsis;
};
