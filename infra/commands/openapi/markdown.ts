/** The little of Markdown that the document's own texts use, as HTML: headings, lists, paragraphs, `code`. */
import { type Html, html } from '../../../shared/foundation/html.ts';

/** Blocks of a text; headings are those of level 2 in the text, shown as `h2`. */
export const blocks = (text: string): Html[] =>
  text.split(/\n{2,}/).map((block) => {
    const heading = /^## (.*)$/.exec(block);
    if (heading) return html`<h2>${inline(heading[1] ?? '')}</h2>`;
    if (block.startsWith('- '))
      return html`<ul>${block.split('\n').map((line) => html`<li>${inline(line.slice(2))}</li>`)}</ul>`;
    return html`<p>${inline(block)}</p>`;
  });

/** A line with `code` in it. */
export const inline = (text: string): Html[] =>
  text.split('`').map((part, position) => (position % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
