/** The resources in payloads, for documentation: Masthead checks only that the key leads to two objects. */
import * as v from 'valibot';
import { field } from '../../shared/foundation/resource.ts';

const time = v.pipe(v.string(), v.metadata({ format: 'date-time' }));
const named = (schema: v.GenericSchema, description: string) => v.optional(field(schema, description));
const text = (description: string) => named(v.string(), description);
const nullableText = (description: string) => named(v.nullable(v.string()), description);
const truth = (description: string) => named(v.boolean(), description);
const count = (description: string) => named(v.number(), description);
const at = (description: string) => named(time, description);
const nullableAt = (description: string) => named(v.nullable(time), description);
const other = v.record(v.string(), v.unknown());

const meta = (whose: string) => ({
  og_image: nullableText(`The image of ${whose} in Open Graph cards.`),
  og_title: nullableText(`The title of ${whose} in Open Graph cards.`),
  og_description: nullableText(`The description of ${whose} in Open Graph cards.`),
  twitter_image: nullableText(`The image of ${whose} in cards of X.`),
  twitter_title: nullableText(`The title of ${whose} in cards of X.`),
  twitter_description: nullableText(`The description of ${whose} in cards of X.`),
  meta_title: nullableText(`The title of ${whose} for search engines.`),
  meta_description: nullableText(`The description of ${whose} for search engines.`),
  codeinjection_head: nullableText('HTML for the head of the page.'),
  codeinjection_foot: nullableText('HTML for the foot of the page.'),
  canonical_url: nullableText('The canonical URL, if it is another one.'),
});

export const tag = v.looseObject({
  id: text('The id of the tag.'),
  name: text('The name of the tag.'),
  slug: text('The last part of its URL.'),
  description: nullableText('What the tag is about.'),
  feature_image: nullableText('The URL of its image.'),
  visibility: text('`public`, or `internal` for tags whose names begin with `#`.'),
  accent_color: nullableText('Its colour, such as `#2e7d32`.'),
  ...meta('the tag'),
  created_at: at('When it was created.'),
  updated_at: at('When it was changed last.'),
  url: text('Its URL on the site.'),
});

export const author = v.looseObject({
  id: text('The id of the author.'),
  name: text('The name of the author.'),
  slug: text('The last part of the URL.'),
  email: text('The address of the author.'),
  profile_image: nullableText('The URL of a picture.'),
  bio: nullableText('A text about the author.'),
  url: text('The URL on the site.'),
});

export const tier = v.looseObject({
  id: text('The id of the tier.'),
  name: text('The name of the tier.'),
  slug: text('The last part of its URL.'),
  type: text('`free` or `paid`.'),
  active: truth('Whether members can choose it.'),
});

export const label = v.looseObject({
  id: text('The id of the label.'),
  name: text('The name of the label.'),
  slug: text('The name in URLs.'),
});

export const newsletter = v.looseObject({
  id: text('The id of the newsletter.'),
  name: text('The name of the newsletter.'),
  status: text('`active` or `archived`.'),
});

const published = (noun: string) => ({
  id: text(`The id of the ${noun}.`),
  uuid: text('A UUID, which is in the URL of the preview.'),
  title: text('The title.'),
  slug: text('The last part of the URL.'),
  lexical: nullableText('The content as JSON of the Lexical editor.'),
  mobiledoc: nullableText('The content as JSON of the former editor.'),
  html: nullableText('The content as HTML.'),
  plaintext: nullableText('The content as text.'),
  comment_id: nullableText('The id that comments refer to: the id of the post, or the one it had before an import.'),
  feature_image: nullableText('The URL of the image.'),
  feature_image_alt: nullableText('The alternative text of the image.'),
  feature_image_caption: nullableText('The caption of the image, as HTML.'),
  featured: truth('Whether it is featured.'),
  status: text('`draft`, `scheduled`, `published`, or `sent` for what was mailed only.'),
  visibility: text('Who can read it: `public`, `members`, `paid` or `tiers`.'),
  created_at: at('When it was created.'),
  updated_at: at('When it was changed last.'),
  published_at: nullableAt('When it was published, or will be; null for a draft that never was.'),
  custom_excerpt: nullableText('The excerpt that an author wrote.'),
  custom_template: nullableText('The template of the theme.'),
  ...meta(`the ${noun}`),
  tags: named(v.array(tag), 'Its tags, the primary one first.'),
  authors: named(v.array(author), 'Its authors, the primary one first.'),
  tiers: named(v.array(tier), 'The tiers whose members can read it.'),
  primary_author: named(v.nullable(author), 'The first author.'),
  primary_tag: named(v.nullable(tag), 'The first public tag.'),
  url: text('The URL on the site, of the preview for a draft.'),
  excerpt: nullableText('The excerpt: the one of an author, or the beginning of the text.'),
  reading_time: count('Minutes that reading it takes.'),
});

export const post = v.looseObject({
  ...published('post'),
  email_only: truth('Whether it is mailed and not shown on the site.'),
  email_segment: text('The members that it is mailed to, as a filter: `all`, `status:free`, …'),
  email_subject: nullableText('The subject of the mail, if it is not the title.'),
  newsletter: named(v.nullable(newsletter), 'The newsletter with which it is mailed.'),
  email: named(v.nullable(other), 'The mail that was sent.'),
  frontmatter: nullableText('Front matter of the theme.'),
});

export const page = v.looseObject({
  ...published('page'),
  show_title_and_feature_image: truth('Whether the page shows its title and image.'),
});

export const member = v.looseObject({
  id: text('The id of the member.'),
  uuid: text('A UUID, which is in links of mails.'),
  email: text('The address.'),
  name: nullableText('The name.'),
  note: nullableText('A note of the staff.'),
  geolocation: nullableText('Where the member signed up, as JSON.'),
  status: text('`free`, `paid` or `comped`.'),
  avatar_image: nullableText('The URL of a picture.'),
  comped: truth('Whether access is complimentary.'),
  created_at: at('When the member signed up.'),
  updated_at: at('When the member was changed last.'),
  last_seen_at: nullableAt('When the member was seen last.'),
  email_count: count('How many mails were sent.'),
  email_opened_count: count('How many of them were opened.'),
  email_open_rate: named(v.nullable(v.number()), 'The share of opened mails in per cent.'),
  labels: named(v.array(label), 'The labels.'),
  subscriptions: named(v.array(other), "Stripe's subscriptions."),
  tiers: named(v.array(tier), 'The tiers of the member.'),
  newsletters: named(v.array(newsletter), 'The newsletters that the member gets.'),
  attribution: named(v.nullable(other), 'Where the member came from.'),
  unsubscribe_url: text('The URL to unsubscribe at.'),
});

const webhookId = 'The id of the webhook.';

export const pingedWebhook = v.looseObject({
  id: text(webhookId),
  event: text('The events that it subscribes to: names and patterns, separated by commas.'),
  target_url: text('Where deliveries go.'),
  name: nullableText('Its name.'),
  api_version: text('The version of its payloads.'),
});

export const reportedWebhook = v.looseObject({
  id: text(webhookId),
  event: text('The events that it subscribes to: names and patterns, separated by commas.'),
  name: nullableText('Its name.'),
  integration_id: text('The id of its integration.'),
  status: named(v.picklist(['available', 'disabled']), 'Whether it is in use.'),
  reason: named(
    v.nullable(v.picklist(['failing', 'receiver', 'request'])),
    'Why it was disabled: it kept failing, its receiver asked for it, or a request did; null for other events.',
  ),
  at: at('When this happened.'),
});

export const staffMember = v.looseObject({
  id: text('The id of the staff member.'),
  name: text('The name.'),
  email: text('The address.'),
  role: text('The name of the role.'),
  created_at: at('When the member joined.'),
});

export const silentRelay = v.looseObject({
  integration_id: text('The id of the integration that receives the events of the site.'),
  site: text('The name of the site.'),
  silent_since: at('When its last event arrived.'),
});
