/** The events that a public search index can have, and what each does to a document. Browsers use this file too. */

/** Events after which a document is added or replaced. Other edits may be of drafts. */
const upserts = [
  'post.published',
  'post.published.edited',
  'page.published',
  'page.published.edited',
  'tag.added',
  'tag.edited',
];
export const deletions = ['post.unpublished', 'post.deleted', 'page.unpublished', 'page.deleted', 'tag.deleted'];

export const indexedEvents: readonly string[] = [...upserts, ...deletions];

/** Returns why an event cannot be indexed, as the end of a sentence. */
export const notIndexed = (event: string): string | undefined =>
  indexedEvents.includes(event) ? undefined : `is for ${indexedEvents.join(', ')}`;
