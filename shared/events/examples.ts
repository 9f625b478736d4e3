/** What each event reports, with an example payload (docs/events.md). Imports nothing: browsers load it. */

export interface EventExample {
  /** What has happened, in one sentence. */
  readonly description: string;
  readonly payload: Readonly<Record<string, { readonly current: object; readonly previous: object }>>;
}

const author = {
  id: '63a1f0b4c2d3e4f506172839',
  name: 'Ada Miller',
  slug: 'ada',
  profile_image: null,
  url: 'https://blog.example.com/author/ada/',
};

const tag = {
  id: '6512bd43d9caa6e02c990b0a',
  name: 'Gardening',
  slug: 'gardening',
  description: 'What grows, and when',
  visibility: 'public',
  accent_color: '#2e7d32',
  created_at: '2026-03-02T08:15:00.000Z',
  updated_at: '2026-03-02T08:15:00.000Z',
  url: 'https://blog.example.com/tag/gardening/',
};

/** The usual fields of a published text; the schemas have all of them. */
const text = {
  html: '<p>Sow indoors until March.</p>',
  plaintext: 'Sow indoors until March.',
  feature_image: 'https://blog.example.com/content/images/2026/11/seeds.jpg',
  featured: false,
  status: 'published',
  visibility: 'public',
  created_at: '2026-11-20T07:30:00.000Z',
  updated_at: '2026-11-22T06:00:00.000Z',
  published_at: '2026-11-22T06:00:00.000Z',
  custom_excerpt: null,
  tags: [tag],
  authors: [author],
  tiers: [],
  primary_author: author,
  primary_tag: tag,
  excerpt: 'Sow indoors until March.',
  reading_time: 1,
};

const post = {
  id: '6748a1b2c3d4e5f601234567',
  uuid: '2f1c8e3a-5b7d-4c9e-8f10-2a3b4c5d6e7f',
  title: 'What to sow in winter',
  slug: 'what-to-sow-in-winter',
  comment_id: '6748a1b2c3d4e5f601234567',
  url: 'https://blog.example.com/what-to-sow-in-winter/',
  ...text,
  email_segment: 'all',
  email_subject: null,
  email_only: false,
  newsletter: null,
};

const page = {
  id: '6748a1b2c3d4e5f60123456a',
  uuid: '8d0f2b64-1c3e-4a5b-9d7f-6e5c4b3a2918',
  title: 'Sowing calendar',
  slug: 'sowing-calendar',
  comment_id: '6748a1b2c3d4e5f60123456a',
  url: 'https://blog.example.com/sowing-calendar/',
  ...text,
  show_title_and_feature_image: true,
};

const member = {
  id: '64b7e1d2c3a4f5061728394a',
  uuid: '5c3e7a19-8b2d-4f6e-9a01-7d8c9b0a1f2e',
  email: 'reader@example.com',
  name: 'Robin Reader',
  note: null,
  geolocation: null,
  status: 'free',
  avatar_image: 'https://www.gravatar.com/avatar/0a1b2c',
  comped: false,
  created_at: '2026-11-22T06:10:00.000Z',
  updated_at: '2026-11-22T06:10:00.000Z',
  last_seen_at: null,
  email_count: 0,
  email_opened_count: 0,
  email_open_rate: null,
  labels: [{ id: '650e1b2c3d4e5f6071829304', name: 'Newsletter', slug: 'newsletter' }],
  subscriptions: [],
  tiers: [],
  newsletters: [{ id: '62b5d1a0f3e4c5d6a7b8c9d0', name: 'The weekly', status: 'active' }],
};

const planned = '2026-12-01T06:00:00.000Z';
const before = '2026-11-20T07:30:00.000Z';

/** The events that posts and pages share. `resource` is published in its example. */
const ofText = (key: 'post' | 'page', resource: typeof post | typeof page): Readonly<Record<string, EventExample>> => {
  const example = (description: string, current: object, previous: object): EventExample => ({
    description,
    payload: { [key]: { current, previous } },
  });
  const asDraft = { ...resource, status: 'draft', published_at: null };
  const scheduled = { ...resource, status: 'scheduled', published_at: planned };
  return {
    [`${key}.added`]: example(`A ${key} was created.`, asDraft, {}),
    [`${key}.deleted`]: example(`A ${key} was deleted.`, {}, resource),
    [`${key}.edited`]: example(`A ${key} was changed, whatever its status.`, asDraft, {
      title: 'Untitled',
      updated_at: before,
    }),
    [`${key}.published`]: example(`A ${key} was published.`, resource, {
      status: 'draft',
      published_at: null,
      updated_at: before,
    }),
    [`${key}.published.edited`]: example(`A published ${key} was changed.`, resource, {
      html: '<p>Sow indoors until April.</p>',
      updated_at: before,
    }),
    [`${key}.unpublished`]: example(`A published ${key} became a draft again.`, asDraft, {
      status: 'published',
      updated_at: before,
    }),
    [`${key}.scheduled`]: example(`A ${key} was scheduled for a later time.`, scheduled, {
      status: 'draft',
      published_at: null,
      updated_at: before,
    }),
    [`${key}.unscheduled`]: example(`A scheduled ${key} became a draft again.`, asDraft, {
      status: 'scheduled',
      published_at: planned,
      updated_at: before,
    }),
    [`${key}.rescheduled`]: example(`A scheduled ${key} got another time.`, scheduled, {
      published_at: '2026-11-28T06:00:00.000Z',
      updated_at: before,
    }),
    [`${key}.tag.attached`]: example(`A tag was added to a ${key}.`, resource, { tags: [], updated_at: before }),
    [`${key}.tag.detached`]: example(
      `A tag was removed from a ${key}.`,
      { ...resource, tags: [], primary_tag: null },
      { tags: [tag], updated_at: before },
    ),
  };
};

const webhook = {
  id: '6748a1b2c3d4e5f601234570',
  event: 'post.published',
  name: 'Search index',
  integration_id: '6748a1b2c3d4e5f601234571',
  at: '2026-11-22T06:30:00.000Z',
};

const staff = {
  id: '6748a1b2c3d4e5f601234572',
  name: 'Sam Writer',
  email: 'sam@example.com',
  role: 'Author',
  created_at: '2026-11-22T06:20:00.000Z',
};

const ofWebhook = (description: string, status: string, reason: string | null): EventExample => ({
  description,
  payload: { webhook: { current: { ...webhook, status, reason }, previous: {} } },
});

export const eventExamples: Readonly<Record<string, EventExample>> = {
  'site.changed': { description: 'Something that visitors of the site can see has changed.', payload: {} },
  ...ofText('post', post),
  ...ofText('page', page),
  'tag.added': { description: 'A tag was created.', payload: { tag: { current: tag, previous: {} } } },
  'tag.edited': {
    description: 'A tag was changed.',
    payload: { tag: { current: tag, previous: { name: 'Garden', slug: 'garden' } } },
  },
  'tag.deleted': { description: 'A tag was deleted.', payload: { tag: { current: {}, previous: tag } } },
  'member.added': { description: 'A member signed up.', payload: { member: { current: member, previous: {} } } },
  'member.edited': {
    description: 'A member was changed.',
    payload: { member: { current: member, previous: { name: null, updated_at: before } } },
  },
  'member.deleted': {
    description: 'A member was deleted.',
    payload: { member: { current: {}, previous: member } },
  },
  'staff.added': {
    description: 'A staff member has accepted an invite.',
    payload: { staff: { current: staff, previous: {} } },
  },
  'staff.removed': {
    description: 'A staff member was removed.',
    payload: { staff: { current: {}, previous: staff } },
  },
  'staff.role.changed': {
    description: 'A staff member got another role.',
    payload: { staff: { current: staff, previous: { role: 'Contributor' } } },
  },
  'webhook.failing': ofWebhook('Every attempt of a webhook has failed for 30 minutes.', 'available', null),
  'webhook.disabled': ofWebhook(
    'A webhook was disabled: by a request, by its receiver, or because it kept failing.',
    'disabled',
    'failing',
  ),
  'webhook.recovered': ofWebhook('A webhook that was failing or disabled works again.', 'available', null),
  'delivery.failed': {
    description: 'A delivery has failed for good.',
    payload: {
      delivery: {
        current: {
          id: '019acb4c2d10a1b2c3d4e5f6',
          webhook_id: webhook.id,
          event: 'post.published',
          event_id: 'post-6748-published',
          status: 'failed',
          trigger: 'event',
          attempts: 10,
          created_at: '2026-11-18T22:00:00.000Z',
          last_attempt_at: '2026-11-22T06:30:00.000Z',
          next_attempt_at: null,
          last_status: '500',
          last_error: 'status',
          waiting_for: null,
          replayed_by: null,
          superseded_by: null,
        },
        previous: {},
      },
    },
  },
  'relay.silent': {
    description: 'A Ghost site has sent no event for longer than is usual for it.',
    payload: {
      relay: {
        current: {
          integration_id: webhook.integration_id,
          site: 'Ghost blog.example',
          silent_since: '2026-11-20T06:30:00.000Z',
        },
        previous: {},
      },
    },
  },
  'webhook.ping': {
    description: 'A ping was requested for this webhook. It arrives whatever the webhook subscribes to.',
    payload: {
      webhook: {
        current: {
          id: webhook.id,
          event: webhook.event,
          target_url: 'https://receiver.example.com/masthead',
          name: webhook.name,
          api_version: 'v6.0',
        },
        previous: {},
      },
    },
  },
};
