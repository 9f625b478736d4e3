/** HTML templates: every value is escaped, except the result of another template. */

/** HTML that is safe to send. */
export interface Html {
  readonly html: string;
}

type Piece = string | number | Html | readonly Html[] | undefined;

/** Returns HTML; values are allowed in text and in quoted attributes. */
export const html = (parts: TemplateStringsArray, ...values: readonly Piece[]): Html => ({
  html: parts.map((part, position) => `${part}${written(values[position])}`).join(''),
});

const written = (value: Piece): string => {
  if (value === undefined) return '';
  if (typeof value === 'string' || typeof value === 'number') return escapedHtml(String(value));
  return 'html' in value ? value.html : value.map((piece) => piece.html).join('');
};

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Returns a text for HTML, in text and in quoted attributes. */
export const escapedHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
