/** The document of a post, page or tag in a public search index: what every reader may see, no members' text. */
import { createHash } from 'node:crypto';
import { headlineOf } from './headline.ts';
import { deletions } from './indexed-events.ts';
import { type Fields, linkOf, membersOf, namesOf, type Rendering, subjectOf, textOf } from './rendering.ts';
import { shorten } from './shorten.ts';

/** Returns whether an event removes a document. Only staff know internal tags, and a public one can become one. */
export const isDeletion = ({ event, ...rendering }: Rendering): boolean =>
  deletions.includes(event) || (event.startsWith('tag.') && isInternal(subjectOf({ event, ...rendering })));

/** Returns whether a tag is internal. Older versions of Ghost have no `visibility` in every tag. */
const isInternal = (tag: Fields): boolean =>
  tag.visibility === 'internal' || /^#/.test(textOf(tag, 'name') ?? '') || /^hash-/.test(textOf(tag, 'slug') ?? '');

/** Returns the id of a document, which search engines allow: the resource's own, or a hash of what is no such id. */
export const documentId = (rendering: Rendering): string => {
  const id = textOf(subjectOf(rendering), 'id') ?? '';
  return /^[\w-]{1,100}$/.test(id) ? id : createHash('sha256').update(id.toWellFormed()).digest('hex').slice(0, 24);
};

/** Returns a document of less than 10 KB, the smallest limit of a record at Algolia. */
export const searchDocument = (rendering: Rendering) => {
  const subject = subjectOf(rendering);
  const { excerpt, image } = headlineOf(rendering);
  const short = (name: string, limit: number) => shorten(textOf(subject, name) ?? '', limit) || null;
  // Algolia sorts and both services compare by numbers only.
  const unixSeconds = (name: string) => {
    const time = Date.parse(textOf(subject, name) ?? '');
    return Number.isNaN(time) ? null : Math.floor(time / 1000);
  };
  return {
    type: rendering.event.split('.', 1)[0],
    title: short('title', 300) ?? short('name', 300),
    slug: short('slug', 200),
    url: linkOf(subject, 'url') ?? null,
    excerpt: shorten(excerpt ?? '', 500) || null,
    image: image ?? null,
    visibility: short('visibility', 50),
    tags: membersOf(subject, 'tags')
      .flatMap((tag) => (isInternal(tag) ? [] : (textOf(tag, 'name') ?? [])))
      .slice(0, 10)
      .map((name) => shorten(name, 50)),
    authors: namesOf(subject, 'authors', 'name')
      .slice(0, 5)
      .map((name) => shorten(name, 50)),
    published_at: short('published_at', 30),
    updated_at: short('updated_at', 30),
    published_at_unix: unixSeconds('published_at'),
    updated_at_unix: unixSeconds('updated_at'),
  };
};
