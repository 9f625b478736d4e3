/** The events that a publisher may send. */
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { newEvent } from '../../shared/events/schema.ts';

const schema = newEvent({ ownEvents: ['shop.order.paid'] });
const payload = { post: { current: { id: '1' }, previous: {} } };
const event = { event: 'post.published', payload };

/** Returns the first violation: its field, its rule and its message. */
const violation = (input: object) => {
  const { issues: [issue] = [] } = v.safeParse(schema, input);
  return { field: issue && v.getDotPath(issue), rule: issue?.expected, message: issue?.message };
};

describe('an event', () => {
  it.each([
    ['in the form of Ghost', event],
    ['with an id', { ...event, id: 'order 7' }],
    ['if the stage defines it', { event: 'shop.order.paid', payload: { shop: { current: {}, previous: {} } } }],
  ])('is accepted %s', (_, input) => {
    expect(v.parse(schema, input)).toEqual(input);
  });

  it('of a kind without content (`site.changed`) is stored with an empty payload', () => {
    expect(v.parse(schema, { event: 'site.changed', payload: { whatever: 1 } }).payload).toEqual({});
  });
});

describe('the id of an event', () => {
  it.each(['a.b', '.a', 'a.', '', 'x'.repeat(65)])('must not be %j', (id) => {
    expect(violation({ ...event, id }).field).toBe('id');
  });

  it('may have 64 characters', () => {
    expect(v.is(schema, { ...event, id: 'x'.repeat(64) })).toBe(true);
  });
});

describe('the name of an event', () => {
  it('must exist; the error suggests similar names', () => {
    const { field, rule, message } = violation({ ...event, event: 'post.publish' });
    expect([field, rule]).toEqual(['event', 'known_event']);
    expect(message).toContain('post.published, post.unpublished');
    expect(message).not.toContain('site.changed');
  });

  it('must exist; the error lists all names if none is similar', () => {
    expect(violation({ ...event, event: 'nonsense' }).message).toMatch(/site\.changed, .*, shop\.order\.paid/);
  });

  it('must not be one that only Masthead publishes', () => {
    expect(violation({ ...event, event: 'staff.added' }).rule).toBe('known_event');
  });
});

describe('a payload', () => {
  it('must have the name of its resource as its key', () => {
    const { field, rule, message } = violation({ ...event, payload: { page: payload.post } });
    expect([field, rule]).toEqual(['payload', 'resource_key']);
    expect(message).toContain('{"post": {"current": {…}, "previous": {…}}}');
  });

  it.each([
    ['an array', []],
    ['a text', 'x'],
    ['null', null],
  ])('must not have %s as `current`', (_, current) => {
    const { field, rule, message } = violation({ ...event, payload: { post: { current } } });
    expect([field, rule]).toEqual(['payload', 'parts']);
    expect(message).toContain('{"post": {"current": {…}, "previous": {…}}}');
  });
});
