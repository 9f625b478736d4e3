/** Describes an event in plain text for chat formats: a sentence, and the parts of the resource worth showing. */
import { publicExcerpt } from './public-text.ts';
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

/** Describes an event. An unknown event becomes its name, with the name and the link of its resource. */
export const headlineOf = (rendering: Rendering): Headline => {
  const { event } = rendering;
  const subject = subjectOf(rendering);
  const isHidden = typeof subject.status === 'string' && ['draft', 'scheduled'].includes(subject.status);
  const isGone = event.endsWith('.deleted');
  return {
    sentence: sentenceOf(event, subject),
    // The page of a draft or a deleted post cannot be opened by readers.
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

/** The author's excerpt, or the beginning of a text that everybody may read; other texts are for members only. */
const excerptOf = (subject: Fields): string | undefined =>
  textOf(subject, 'custom_excerpt') ?? (subject.visibility === 'public' ? publicExcerpt(subject) : undefined);
