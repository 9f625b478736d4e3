/** Says what has happened in plain text, for the formats of chats: a sentence, and what of the resource is worth showing. */
import { type Fields, linkOf, namesOf, type Rendering, resourceOf, subjectOf, textOf } from './rendering.ts';

export interface Headline {
  /** One line without markup, such as `Post published: What to sow in winter`. Not shortened. */
  readonly sentence: string;
  readonly link: string | undefined;
  readonly excerpt: string | undefined;
  readonly image: string | undefined;
  readonly author: string | undefined;
}

const nouns: Readonly<Record<string, string>> = {
  post: 'Post',
  page: 'Page',
  tag: 'Tag',
  member: 'Member',
  webhook: 'Webhook',
  delivery: 'Delivery',
  staff: 'Staff member',
};

const verbs: Readonly<Record<string, string>> = {
  added: 'added',
  edited: 'edited',
  deleted: 'deleted',
  published: 'published',
  'published.edited': 'updated',
  unpublished: 'unpublished',
  scheduled: 'scheduled',
  unscheduled: 'unscheduled',
  rescheduled: 'rescheduled',
  'tag.attached': 'tagged',
  'tag.detached': 'untagged',
  ping: 'test',
  failing: 'failing',
  disabled: 'disabled',
  recovered: 'recovered',
  failed: 'failed',
  removed: 'removed',
  'role.changed': 'role changed',
};

/** Returns what has happened. An event that is not known becomes its name, with the name and the link of its resource. */
export const headlineOf = (rendering: Rendering): Headline => {
  const { event } = rendering;
  const subject = subjectOf(rendering);
  const isHidden = typeof subject.status === 'string' && ['draft', 'scheduled'].includes(subject.status);
  const isGone = event.endsWith('.deleted');
  return {
    sentence: sentenceOf(event, subject),
    // Readers can't open the page of a draft or of a deleted post.
    link: isHidden || isGone ? undefined : linkOf(subject, 'url'),
    excerpt: excerptOf(subject),
    image: isGone ? undefined : linkOf(subject, 'feature_image'),
    author: namesOf({ authors: [subject.primary_author] }, 'authors', 'name')[0],
  };
};

const sentenceOf = (event: string, subject: Fields): string => {
  if (event === 'site.changed') return 'The site has changed';
  const resource = resourceOf(event);
  const noun = Object.hasOwn(nouns, resource) ? nouns[resource] : undefined;
  const verb = event.slice(resource.length + 1);
  const what = noun !== undefined && Object.hasOwn(verbs, verb) ? `${noun} ${verbs[verb]}` : `Event ${event}`;
  const name = textOf(subject, 'title') ?? textOf(subject, 'name');
  return name === undefined ? what : `${what}: ${name}`;
};

/** The excerpt that an author wrote, or the begin of a text that everybody may read: others belong to members. */
const excerptOf = (subject: Fields): string | undefined =>
  textOf(subject, 'custom_excerpt') ?? (subject.visibility === 'public' ? textOf(subject, 'excerpt') : undefined);
