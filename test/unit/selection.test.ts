/** What a webhook's `event` selects: names, patterns and their overlaps. */
import { describe, expect, it } from 'vitest';
import { ghostEvents, mastheadEvents } from '../../shared/foundation/event-names.ts';
import {
  covers,
  eventsIn,
  listsOf,
  namesIn,
  overlap,
  patternsOf,
  subscribedLists,
} from '../../shared/foundation/event-selection.ts';

describe('a selection', () => {
  it('has its names once', () => {
    expect(namesIn('post.added,page.*,post.added')).toEqual(['post.added', 'page.*']);
  });

  it.each([
    ['post.added', 'post.added', true],
    ['post.added', 'post.added.more', false],
    ['post.*', 'post.added', true],
    ['post.*', 'post.tag.attached', true],
    ['post.*', 'page.added', false],
    ['*', 'shop.order.paid', true],
    ['*', 'post.*', true],
    ['*', 'webhook.failing', false],
    ['*', 'staff.added', false],
    ['page.*,post.added', 'post.added', true],
    ['post.*,page.*', 'page.added,post.*', true],
    ['post.added', 'post.*', false],
    ['post.*', '*', false],
    ['post.*', 'post.added,page.added', false],
  ])('%s includes %s: %s', (selection, other, expected) => {
    expect(covers(selection, other)).toBe(expected);
  });

  it.each([
    ['post.published,tag.added', 'post.published', ['post.published']],
    ['post.*,page.added', 'post.published', ['post.*']],
    ['post.published', 'post.*', ['post.published']],
    ['webhook.failing', '*', []],
    ['post.added', 'page.added', []],
  ])('%s has events of %s in %j', (selection, other, expected) => {
    expect(overlap(selection, other)).toEqual(expected);
  });

  it('is in one list of each event, whatever its names', () => {
    expect(subscribedLists('post.added,post.*,page.added,webhook.failing')).toEqual([
      'post.*',
      'page.added',
      'webhook.failing',
    ]);
    expect(subscribedLists('*,post.*,post.added')).toEqual(['*']);
    for (const event of [...ghostEvents, ...mastheadEvents, 'shop.order.paid'])
      for (const selection of ['*,post.*,webhook.failing', `${event},*`, 'post.*,page.*,post.added', 'shop.*,*'])
        expect(subscribedLists(selection).filter((list) => listsOf(event).includes(list)).length).toBe(
          covers(selection, event) ? 1 : 0,
        );
  });

  it('stands for the events that a stage has now', () => {
    expect(eventsIn('tag.*,staff.added', [])).toEqual(['tag.added', 'tag.edited', 'tag.deleted', 'staff.added']);
    expect(eventsIn('*', ['shop.order.paid'])).toEqual([...ghostEvents, 'shop.order.paid']);
    expect(patternsOf(['shop.order.paid'])).toEqual(['site.*', 'post.*', 'page.*', 'tag.*', 'member.*', 'shop.*', '*']);
  });
});
