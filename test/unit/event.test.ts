/** The messages about an event, and the form in which the event is stored. */
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import {
  type AcceptedEvent,
  bodyHash,
  bodyOf,
  endsEarly,
  eventMessage,
  isSameEvent,
  partsExpiryOf,
  payloadOf,
  queuedPartsExpiryOf,
} from '../../shared/events/event.ts';

const day = 86_400_000;
const now = Date.parse('2026-11-21T12:00:00.000Z');
const payload = { post: { current: { id: '1' }, previous: {} } };
const stored = { payload: JSON.stringify(payload) };
const event: AcceptedEvent = {
  kind: 'event',
  id: 'e1',
  publisher: 'integration:1',
  event: 'post.added',
  accepted_at: '2026-11-21T11:59:00.000Z',
  payload,
  owner: 'request 1',
};

const { payload: _, ...small } = event;
const large = { ...small, payload: {} };

describe('a message of the events queue', () => {
  it.each([
    ['an event', event],
    ['an event whose payload is in the table', { ...large, parts: { hash: 'abc', count: 2 } }],
    ['a page of an event', { kind: 'page', body_hash: 'abc', place: { list: 'post.added' } }],
  ])('can be %s', (_, message) => {
    expect(v.parse(eventMessage, message)).toEqual(message);
  });

  it.each([
    ['of an unknown kind', { kind: 'other', body_hash: 'abc' }],
    ['of a fan-out without its event', { kind: 'page', place: { list: 'post.added' } }],
    ['of an event without its payload', small],
    ['an event with an invalid time', { ...event, accepted_at: 'yesterday' }],
  ])('is refused if it is %s', (_, message) => {
    expect(v.is(eventMessage, message)).toBe(false);
  });
});

describe('the stored event', () => {
  it('has the fields of the accepted event, and its payload as JSON', () => {
    const body = bodyOf(event, stored, 7, now);
    expect(body).toEqual({
      id: 'e1',
      publisher: 'integration:1',
      event: 'post.added',
      created_at: '2026-11-21T11:59:00.000Z',
      payload: '{"post":{"current":{"id":"1"},"previous":{}}}',
      owner: 'request 1',
      expires_at: (now + 30 * day) / 1000,
    });
    expect(payloadOf(body)).toEqual(payload);
  });

  it('has its own id as owner if no request is named', () => {
    const { owner: _, ...unowned } = event;
    expect(bodyOf(unowned, stored, 7, now).owner).toBe('e1');
  });

  it.each([
    [29, 30],
    [31, 31],
  ])('with logs that are kept for %i days expires after %i days, in whole seconds', (keepDays, days) => {
    expect(bodyOf(event, stored, keepDays, now + 999).expires_at).toBe((now + days * day) / 1000);
  });

  it('expires with the log if Masthead published it', () => {
    expect(bodyOf({ ...event, publisher: 'masthead' }, stored, 7, now).expires_at).toBe((now + 7 * day) / 1000);
  });

  it.each([7, 31])(
    'with logs that are kept for %i days never outlives the parts of its payload, if it waits in a queue',
    (keepDays) => {
      expect(queuedPartsExpiryOf(keepDays, now)).toBe(bodyOf(event, stored, keepDays, now + 21 * day).expires_at);
    },
  );

  it('outlives its payload if logs are kept for a shorter time than its id', () => {
    expect(partsExpiryOf('p', 9, now)).toBe((now + 9 * day) / 1000);
    expect(bodyOf(event, stored, 9, now).expires_at).toBe((now + 30 * day) / 1000);
    expect([endsEarly('p', 29), endsEarly('p', 30), endsEarly('masthead', 1)]).toEqual([true, false, false]);
  });

  it.each([
    ['keeps a reported time of six days ago', now - 6 * day, now - 6 * day],
    ['replaces an earlier time, after which hardly any time would be left for attempts', now - 6 * day - 1, now],
    ['keeps a reported time a minute ahead, because clocks differ', now + 60_000, now + 60_000],
    ['replaces a reported time further ahead', now + 60_001, now],
  ])('%s', (_, reported, created) => {
    const reportedEvent = { ...event, accepted_at: new Date(reported).toISOString() };
    expect(bodyOf(reportedEvent, stored, 7, now).created_at).toBe(new Date(created).toISOString());
  });
});

describe('the same id again', () => {
  const body = bodyOf(event, stored, 7, now);

  it.each([
    ['is the same event with the same name and payload', event, true],
    ['is another event with another name', { ...event, event: 'post.edited' }, false],
    [
      'is another event with another payload',
      { ...event, payload: { post: { current: { id: '2' }, previous: {} } } },
      false,
    ],
  ])('%s', (_, other, same) => {
    expect(isSameEvent(body, other.event, { payload: JSON.stringify(other.payload) })).toBe(same);
  });

  it('is a different event if another publisher sends it', () => {
    expect(bodyHash('integration:1', 'e1')).toMatch(/^[0-9a-f]{64}$/);
    expect(bodyHash('integration:1', 'e1')).toBe(bodyHash('integration:1', 'e1'));
    expect(bodyHash('integration:2', 'e1')).not.toBe(bodyHash('integration:1', 'e1'));
    // The hash keeps publisher and id apart.
    expect(bodyHash('a', 'b,c')).not.toBe(bodyHash('a,b', 'c'));
  });
});
