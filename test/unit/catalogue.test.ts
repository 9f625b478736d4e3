/** The events that webhooks can subscribe to, and the suggestions for unknown names. */
import { describe, expect, it } from 'vitest';
import { knownEvents, nearMatches, resourceOf } from '../../shared/events/catalogue.ts';
import { ghostEvents, mastheadEvents } from '../../shared/foundation/event-names.ts';

describe('the catalogue', () => {
  it("has Ghost's 29 events", () => {
    expect([...ghostEvents].sort()).toEqual([
      'member.added',
      'member.deleted',
      'member.edited',
      'page.added',
      'page.deleted',
      'page.edited',
      'page.published',
      'page.published.edited',
      'page.rescheduled',
      'page.scheduled',
      'page.tag.attached',
      'page.tag.detached',
      'page.unpublished',
      'page.unscheduled',
      'post.added',
      'post.deleted',
      'post.edited',
      'post.published',
      'post.published.edited',
      'post.rescheduled',
      'post.scheduled',
      'post.tag.attached',
      'post.tag.detached',
      'post.unpublished',
      'post.unscheduled',
      'site.changed',
      'tag.added',
      'tag.deleted',
      'tag.edited',
    ]);
  });

  it("lists Ghost's events first, then Masthead's, then the stage's", () => {
    expect(mastheadEvents).toContain('staff.added');
    expect(knownEvents(['shop.order.paid'])).toEqual([...ghostEvents, ...mastheadEvents, 'shop.order.paid']);
  });
});

describe("the key of an event's payload", () => {
  it.each([
    ['post.published', 'post'],
    ['page.tag.attached', 'page'],
    ['shop.order.paid', 'shop'],
    ['site.changed', undefined],
    ['site.other', 'site'],
  ])('is, for %s: %s', (event, resource) => {
    expect(resourceOf(event)).toBe(resource);
  });
});

describe('suggestions for an unknown name', () => {
  it('are sorted by edit distance, ignoring case', () => {
    const known = ['site.changed', 'post.deleted', 'post.edited'];
    expect(nearMatches('POST.EDITER', known)).toEqual(['post.edited', 'post.deleted']);
  });

  it('are at most three', () => {
    expect(nearMatches('aaa', ['aax', 'axx', 'aaa', 'xaa'])).toEqual(['aaa', 'aax', 'xaa']);
  });

  it.each([
    ['three edits from a short name', 'abcxyz', ['abcdef'], 1],
    ['four edits from a short name', 'abwxyz', ['abcdef'], 0],
    ['a third of a long name, rounded up', 'abcdefghiVWXYZ', ['abcdefghijklm'], 1],
    ['more than a third of a long name', 'abcdefghUVWXYZ', ['abcdefghijklm'], 0],
  ])('allow for %s', (_, name, known, count) => {
    expect(nearMatches(name, known)).toHaveLength(count);
  });
});
