/** Filters of a webhook: which events pass, which patterns are refused, and where the error is. */
import { describe, expect, it } from 'vitest';
import { type Filter, filterProblem } from '../../shared/formats/filter.ts';
import { contradiction, matches, mismatchOf, passesFilter } from '../../shared/formats/match.ts';

const body = {
  event: 'post.published',
  post: {
    current: {
      visibility: 'public',
      title: 'News of today',
      reading_time: 4,
      featured: false,
      custom_excerpt: null,
      tags: [
        { slug: 'news', visibility: 'public' },
        { slug: 'hash-internal', visibility: 'internal' },
      ],
    },
    previous: { status: 'draft' },
  },
};
const current = (pattern: Filter): Filter => ({ post: { current: pattern } });

describe('a filter', () => {
  it.each<[boolean, Filter]>([
    [true, current({ visibility: ['public'], tags: { slug: ['news'] } })],
    [true, current({ visibility: ['paid', 'public'] })],
    [false, current({ visibility: ['paid'] })],
    [false, current({ visibility: ['public'], tags: { slug: ['sport'] } })],
    [true, current({ tags: { slug: ['news'], visibility: ['public'] } })],
    [false, current({ tags: { slug: ['news'], visibility: ['internal'] } })],
    [true, current({ title: [{ prefix: 'News' }] })],
    [false, current({ title: [{ prefix: 'news' }] })],
    [true, current({ featured: [false], custom_excerpt: [null] })],
    [true, current({ slug: [{ exists: false }], title: [{ exists: true }] })],
    [false, current({ title: [{ exists: false }] })],
    [true, current({ reading_time: [{ numeric: ['>', 0, '<=', 4] }] })],
    [false, current({ reading_time: [{ numeric: ['>', 4] }] })],
    [true, current({ reading_time: [4] })],
    [false, current({ reading_time: ['4'] })],
    [true, current({ visibility: [{ 'anything-but': ['paid', 'members'] }] })],
    [false, current({ visibility: [{ 'anything-but': 'public' }] })],
    [false, current({ title: [{ 'anything-but': { prefix: 'News' } }] })],
    [false, current({ slug: [{ 'anything-but': 'x' }] })],
    // As in EventBridge, one other member of the list is enough.
    [true, current({ tags: { slug: [{ 'anything-but': 'news' }] } })],
    [false, current({ $not: { tags: { slug: ['news'] } } })],
    [true, current({ $not: { tags: { slug: ['sport'] } } })],
    [false, current({ $not: { tags: { slug: ['sport', { prefix: 'hash-' }] } } })],
    [true, current({ visibility: ['public'], $not: { tags: { slug: ['sport'] } } })],
    [true, current({ $not: { tags: { slug: ['news'], visibility: ['internal'] } } })],
    [false, current({ tags: { $not: { visibility: ['public', 'internal'] } } })],
    [true, current({ tags: { slug: ['news'], $not: { visibility: ['internal'] } } })],
    [true, current({ $not: { labels: { name: ['vip'] } } })],
    [true, current({ $not: { $not: { visibility: ['public'] } } })],
    [true, { event: ['post.published'], post: { previous: { status: ['draft'] } } }],
    [false, current({ constructor: { name: [{ exists: true }] } })],
  ])('matches: %s for %j', (expected, filter) => {
    expect(filterProblem(filter, 'post.published')).toBeUndefined();
    expect(matches(filter, body)).toBe(expected);
  });

  it.each([null, 'text', [], [[]], [[{ post: { current: {} } }]]])('does not match the body %j', (other) => {
    expect(matches(current({ visibility: ['public'] }), other)).toBe(false);
  });
});

it('the name of the event can be compared in every API version, although bodies up to v5 do not have it', () => {
  const { event, ...older } = body;
  for (const sent of [body, older]) {
    expect(passesFilter({ event: [event] }, event, sent)).toBe(true);
    expect(passesFilter({ event: ['post.edited'] }, event, sent)).toBe(false);
  }
});

describe('the work of a filter has a limit', () => {
  const ofList = (list: readonly unknown[]) => ({ event: 'post.edited', post: { current: { list }, previous: {} } });
  const fields = (count: number): Filter =>
    Object.fromEntries(Array.from({ length: count }, (_, number) => [`f${number}`, [{ exists: false }]]));
  /** Matches no member without `last`, but compares all other fields before. */
  const slow = current({ list: { ...fields(49), last: [{ exists: true }] } });

  it('beyond which the event is delivered', () => {
    let looks = 0;
    const member = new Proxy(
      {},
      {
        getOwnPropertyDescriptor: () => {
          looks += 1;
          return undefined;
        },
      },
    );
    expect(filterProblem(slow, 'post.edited')).toBeUndefined();
    expect(matches(slow, ofList(Array(97_000).fill(member)))).toBe(true);
    expect(looks).toBeLessThanOrEqual(50_000);
  });

  it.each<[string, Filter, unknown]>([
    ['fields of members', { list: { ...fields(49), last: [{ exists: true }] } }, {}],
    ['exact values', { list: Array(50).fill('other') }, 'text'],
    ['prefixes', { list: Array(50).fill({ prefix: 'other' }) }, 'text'],
    ['numbers', { list: Array(50).fill({ numeric: ['>', 5] }) }, 1],
    ['excluded values', { list: [{ 'anything-but': [...Array(900).keys()] }] }, 899],
    ['fields that one pattern has in members', { list: { last: [true], ...fields(49) } }, {}],
  ])('which counts %s, and which usual events do not reach', (_, pattern, member) => {
    const filter = current(pattern);
    expect(filterProblem(filter, 'post.edited')).toBeUndefined();
    expect(matches(filter, ofList(Array(50).fill(member)))).toBe(false);
    expect(matches(filter, ofList(Array(60_000).fill(member)))).toBe(true);
  });
});

describe('an invalid pattern is refused with the path of the error', () => {
  const deep = (levels: number): Filter => (levels === 0 ? { a: [1] } : { a: deep(levels - 1) });
  it.each<[string, unknown]>([
    ['filter', null],
    ['filter', { post: { current: { title: ['x'.repeat(5000)] } } }],
    ['filter', current({ title: Array(51).fill('x') })],
    ['filter.pst', { pst: { current: { title: ['x'] } } }],
    ['filter.post.currant', { post: { currant: { title: ['x'] } } }],
    ['filter.post.current.title', current({ title: 'x' })],
    ['filter.post.current.title', current({ title: [] })],
    ['filter.post.current.tags', current({ tags: {} })],
    ['filter.post.current.$not', current({ $not: ['x'] })],
    ['filter.post.current.$not', current({ $not: {} })],
    ['filter.post.current.$not.title.0', current({ $not: { title: [{ suffix: 'x' }] } })],
    ['filter.post.$not', { post: { $not: { current: { title: ['x'] } } } }],
    ['filter.$not', { $not: { post: { current: { title: ['x'] } } } }],
    ['filter.post.current.title.0', current({ title: [{ suffix: 'x' }] })],
    ['filter.post.current.title.0', current({ title: [{ prefix: '' }] })],
    ['filter.post.current.title.1', current({ title: ['x', { exists: 'yes' }] })],
    ['filter.post.current.title.0', current({ title: [{ prefix: 'a', exists: true }] })],
    ['filter.post.current.title.0', current({ title: [{ 'anything-but': [] }] })],
    ['filter.post.current.n.0', current({ n: [{ numeric: ['>', 5, '<', 5] }] })],
    ['filter.post.current.n.0', current({ n: [{ numeric: ['>', 5, '>', 6] }] })],
    ['filter.post.current.n.0', current({ n: [{ numeric: ['!', 5] }] })],
    ['filter.post.current.n.0', current({ n: [{ numeric: ['>', '5'] }] })],
    ['filter.post.current.a.a.a.a.a.a.a', current(deep(8))],
  ])('at %s: %j', (path, filter) => {
    expect(filterProblem(filter, 'post.published')).toMatchObject({ path, problem: expect.any(String) });
  });

  it.each<[string, Filter]>([
    ['filter.event', { event: ['page.published'] }],
    ['filter.event', { event: [{ 'anything-but': 'post.published' }] }],
    ['filter.event', { event: { name: ['post.published'] } }],
    ['filter.post', { post: ['x'] }],
    ['filter.post', { post: [{ exists: false }] }],
    ['filter.post.current', { post: { current: ['published', null] } }],
    ['filter.post.previous', { post: { current: { title: ['x'] }, previous: [{ exists: false }] } }],
  ])('at %s of %j, because every event of the name has something else there', (path, filter) => {
    expect(filterProblem(filter, 'post.published')).toBeUndefined();
    expect(contradiction(filter, 'post.published')).toMatchObject({ path, problem: expect.any(String) });
  });

  it('but not where the value can differ from event to event', () => {
    for (const filter of [
      { event: [{ prefix: 'post.' }], post: { current: { title: ['x'] }, previous: [{ exists: true }] } },
      { post: [{ exists: true }] },
      current({ title: [{ exists: false }] }),
    ])
      expect(contradiction(filter, 'post.published')).toBeUndefined();
    expect(contradiction({ event: ['site.changed'] }, 'site.changed')).toBeUndefined();
  });

  it('at the resource of another event', () => {
    expect(filterProblem({ member: { current: { status: ['paid'] } } }, 'post.published')?.path).toBe('filter.member');
    expect(filterProblem({ event: ['site.changed'] }, 'site.changed')).toBeUndefined();
  });
});

describe('the part of a filter that leaves an event out', () => {
  it.each<[string | undefined, Filter]>([
    [undefined, current({ visibility: ['public'] })],
    ['post.current.visibility: ["paid"]', current({ title: [{ prefix: 'News' }], visibility: ['paid'] })],
    ['post.current.tags: {"slug":["sport"]}', current({ tags: { slug: ['sport'] } })],
    ['post.current.$not: {"featured":[false]}', current({ $not: { featured: [false] } })],
    ['post.current.missing: {"slug":["sport"]}', current({ missing: { slug: ['sport'] } })],
    ['event: ["post.added"]', { event: ['post.added'] }],
  ])('is %s', (part, filter) => {
    expect(mismatchOf(filter, 'post.published', body)).toBe(part);
  });
});
