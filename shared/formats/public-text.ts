/** The beginning of a post that everybody may read, from its `html`, which marks cards for members or newsletters. */
import { type Fields, textOf } from './rendering.ts';

const begin = /<!--\s*kg-gated-block:begin/;
const end = /<!--\s*kg-gated-block:end\s*-->/;

/** Characters of the text: as many as Ghost's excerpts have. */
const maxLength = 500;

/** Returns the excerpt of a public post without what only some readers see; undefined if there is none. */
export const publicExcerpt = (post: Fields): string | undefined => {
  const html = textOf(post, 'html');
  // Without HTML, the document shows only that there are such cards.
  if (html === undefined && textOf(post, 'lexical')?.includes('"nonMember":false')) return undefined;
  if (html === undefined || !begin.test(html)) return textOf(post, 'excerpt');
  return plainText(withoutGatedBlocks(html)).slice(0, maxLength) || undefined;
};

/** Removes the blocks that visitors do not see. One that does not end takes all that follows. */
const withoutGatedBlocks = (html: string): string => {
  const [start = '', ...blocks] = html.split(begin);
  let isHidden = false;
  return blocks.reduce((visible, block) => {
    const [, parameters = '', content = ''] = /^([^>]*)-->([\s\S]*)$/.exec(block) ?? [];
    isHidden ||= !/\bnonMember:["']?true\b/.test(parameters);
    const closing = end.exec(content);
    if (closing === null) return visible + (isHidden ? '' : content);
    const shown = isHidden ? '' : content.slice(0, closing.index);
    isHidden = false;
    return visible + shown + content.slice(closing.index + closing[0].length);
  }, start);
};

/** Comments, elements without text, and tags. Each ends with the text at the latest, so that the search is linear. */
const markup =
  /<!--[\s\S]*?(?:-->|$)|<(script|style|figure|iframe|svg)\b[\s\S]*?(?:<\/\1\s*>|$)|<(\/?)([a-z][\w-]*)[^>]*(?:>|$)/gi;
const inline = /^(?:a|abbr|b|code|del|em|i|mark|s|small|span|strong|sub|sup|u)$/i;

const plainText = (html: string): string =>
  html
    .replace(markup, (_tag, _element, _slash, name: string | undefined) => (inline.test(name ?? '') ? '' : '\n'))
    .replace(/&(?:#(\d{1,6})|#x([\da-f]{1,5})|(amp|lt|gt|quot|apos|nbsp));/gi, (_entity, decimal, hex, name) =>
      name === undefined
        ? String.fromCodePoint(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal))
        : (characters[name.toLowerCase()] ?? ''),
    )
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[\s]*/g, '\n')
    .trim();

const characters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };
