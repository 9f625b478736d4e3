/** The body of a delivery in each API version. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toV2 } from '../../shared/events/api-versions/v2.ts';
import { toV3 } from '../../shared/events/api-versions/v3.ts';
import { toV4 } from '../../shared/events/api-versions/v4.ts';
import { toV5 } from '../../shared/events/api-versions/v5.ts';
import { bodyBuilder } from '../../shared/events/payload.ts';

const bodyOf = (apiVersion: string, event: string, payload: Record<string, unknown>): string =>
  Buffer.from(bodyBuilder(event, JSON.stringify(payload))(apiVersion).bytes).toString();
const parsed = (apiVersion: string, event: string, payload: Record<string, unknown>): unknown =>
  JSON.parse(bodyOf(apiVersion, event, payload));

describe('the version of a body', () => {
  test.each([
    ['canary', 'v6.0'],
    ['v6', 'v6.0'],
    ['v6.12', 'v6.0'],
    ['v7', 'v6.0'],
    ['v99.1', 'v6.0'],
    ['v5', 'v5.0'],
    ['v5.130', 'v5.0'],
    ['v4', 'v4.0'],
    ['v3.5', 'v3.0'],
    ['v2', 'v2.0'],
    ['v1', 'v2.0'],
    ['v0.1', 'v2.0'],
    ['v05', 'v5.0'],
    ['xv5', 'v6.0'],
    ['v5x', 'v6.0'],
  ])('is, for the API version %s, %s', (apiVersion, contentVersion) => {
    expect(bodyBuilder('site.changed', '{}')(apiVersion).contentVersion).toBe(contentVersion);
  });
});

describe('the bodies of an event', () => {
  test('are built only once per version', () => {
    const build = bodyBuilder('post.added', '{"post":{"current":{"id":"1"},"previous":{}}}');
    const { bytes, contentVersion } = build('v5');
    expect([Buffer.from(bytes).toString(), contentVersion]).toEqual([
      '{"post":{"current":{"id":"1"},"previous":{}}}',
      'v5.0',
    ]);
    expect(build('v5.9').bytes).toBe(bytes);
    expect(build('v6').contentVersion).toBe('v6.0');
    expect(build('canary').bytes).toBe(build('v6').bytes);
  });

  test.each(['v5', 'v6'])('use no more memory than their bytes: %s', (apiVersion) => {
    const { bytes } = bodyBuilder('post.added', '{"post":{"current":{"id":"1"},"previous":{}}}')(apiVersion);
    expect(bytes.buffer.byteLength).toBe(bytes.length);
  });
});

describe('a body in v6', () => {
  test('has the event first, and then the resource as it was published', () => {
    const body = bodyOf('v6', 'post.published', { post: { current: { id: '1' }, previous: {} } });
    expect(body).toBe('{"event":"post.published","post":{"current":{"id":"1"},"previous":{}}}');
  });

  test('contains the stored text without parsing it', () => {
    const { bytes } = bodyBuilder('post.added', '{"post": {"current": 1.0}}')('v6');
    expect(Buffer.from(bytes).toString()).toBe('{"event":"post.added","post": {"current": 1.0}}');
  });

  test('for site.changed has only the event', () => {
    expect(parsed('v6', 'site.changed', {})).toEqual({ event: 'site.changed' });
  });
});

describe('a body in v5', () => {
  test('does not name its event', () => {
    expect(toV5({ event: 'tag.added', tag: { current: { id: '1' }, previous: {} } })).toEqual({
      tag: { current: { id: '1' }, previous: {} },
    });
  });

  test('for site.changed is empty', () => {
    expect(parsed('v5', 'site.changed', {})).toEqual({});
  });
});

describe('a body in v4', () => {
  test.each(['post', 'page'])('calls the email segment of a %s `email_recipient_filter`, in both parts', (resource) => {
    expect(
      toV4({
        [resource]: { current: { id: '1', email_segment: 'all', slug: 'x' }, previous: { email_segment: 'none' } },
      }),
    ).toEqual({
      [resource]: {
        current: { id: '1', email_recipient_filter: 'all', slug: 'x' },
        previous: { email_recipient_filter: 'none' },
      },
    });
  });

  test('calls the tiers of a member `products`', () => {
    expect(toV4({ member: { current: { tiers: [{ id: 't' }] }, previous: {} } })).toEqual({
      member: { current: { products: [{ id: 't' }] }, previous: {} },
    });
  });
});

describe('a body in v3', () => {
  test.each([
    ['all', true],
    ['status:paid', true],
    ['none', false],
  ])('says whether a post with the email filter %s is mailed: %s', (filter, sent) => {
    expect(toV3({ post: { current: { email_recipient_filter: filter }, previous: {} } })).toEqual({
      post: { current: { email_recipient_filter: filter, send_email_when_published: sent }, previous: {} },
    });
  });

  test('has no mail fields for a page', () => {
    expect(
      toV3({ page: { current: { id: '1', email_recipient_filter: 'all', email_subject: 'x' }, previous: {} } }),
    ).toEqual({
      page: { current: { id: '1' }, previous: {} },
    });
  });

  test("has a member's subscriptions under `stripe`, and no products", () => {
    expect(
      toV3({ member: { current: { id: '1', subscriptions: [{ id: 's' }], products: [] }, previous: { name: 'x' } } }),
    ).toEqual({
      member: { current: { id: '1', stripe: { subscriptions: [{ id: 's' }] } }, previous: { name: 'x' } },
    });
  });
});

describe('a body in v2', () => {
  const tag = {
    id: 't',
    name: 'News',
    slug: 'news',
    accent_color: '#fff',
    og_title: null,
    url: 'https://example.com/news/',
  };
  const oldTag = { id: 't', name: 'News', slug: 'news', url: 'https://example.com/news/' };

  test.each(['post', 'page'])(
    'drops the reading time and mail fields of a %s, and the newer fields of its tags',
    (resource) => {
      const fields = {
        title: 'x',
        reading_time: 3,
        send_email_when_published: true,
        email_subject: 'y',
        tags: [tag],
        primary_tag: tag,
      };
      expect(toV2({ [resource]: { current: fields, previous: { reading_time: 2 } } })).toEqual({
        [resource]: { current: { title: 'x', tags: [oldTag], primary_tag: oldTag }, previous: {} },
      });
    },
  );

  test('has only the old fields of a tag', () => {
    expect(toV2({ tag: { current: tag, previous: { accent_color: '#000' } } })).toEqual({
      tag: { current: oldTag, previous: {} },
    });
  });

  test('knows eleven fields of a tag', () => {
    const names = [
      'created_at',
      'description',
      'feature_image',
      'id',
      'meta_description',
      'meta_title',
      'name',
      'slug',
      'updated_at',
      'url',
      'visibility',
    ];
    const current = Object.fromEntries([...names, 'og_image'].map((name) => [name, 'x']));
    const { tag } = toV2({ tag: { current, previous: {} } }) as { tag: { current: object } };
    expect(Object.keys(tag.current)).toEqual(names);
  });

  test('has no tags for a post without tags', () => {
    expect(toV2({ post: { current: { tags: [], primary_tag: null }, previous: {} } })).toEqual({
      post: { current: { tags: [], primary_tag: null }, previous: {} },
    });
  });
});

describe('the bodies of all versions', () => {
  const versions = ['v2', 'v3', 'v4', 'v5', 'v6'];

  test('are converted step by step from v6 down to v2', () => {
    const post = { email_segment: 'none', reading_time: 2, tags: [{ id: 't', accent_color: '#fff' }] };
    expect(parsed('v2', 'post.edited', { post: { current: post, previous: { email_segment: 'all' } } })).toEqual({
      post: {
        current: { email_recipient_filter: 'none', tags: [{ id: 't' }] },
        previous: { email_recipient_filter: 'all' },
      },
    });
  });

  test.each(versions)('keep an empty part empty: %s', (apiVersion) => {
    expect(
      parsed(apiVersion, 'member.deleted', { member: { current: {}, previous: { email: 'a@example.com' } } }),
    ).toMatchObject({
      member: { current: {}, previous: { email: 'a@example.com' } },
    });
  });

  test('keep unknown fields and do not change the published payload', () => {
    const values = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(fc.string()),
    );
    const fields = fc.dictionary(
      fc.string({ minLength: 1 }).map((name) => `own_${name}`),
      values,
    );
    const resources = fc.constantFrom('post', 'page', 'member', 'order');
    fc.assert(
      fc.property(
        fc.constantFrom(...versions),
        resources,
        fields,
        fields,
        (apiVersion, resource, current, previous) => {
          const payload = { [resource]: { current, previous } };
          const before = JSON.stringify(payload);
          expect(parsed(apiVersion, 'order.paid', payload)).toMatchObject(JSON.parse(before));
          expect(JSON.stringify(payload)).toBe(before);
        },
      ),
    );
  });

  test('keep a field named __proto__', () => {
    const payload = JSON.parse(
      '{"post":{"current":{"__proto__":{"polluted":true},"email_segment":"all"},"previous":{}}}',
    );
    const body = bodyOf('v2', 'post.added', payload);
    expect(body).toContain('"__proto__":{"polluted":true}');
    expect('polluted' in {}).toBe(false);
  });
});
