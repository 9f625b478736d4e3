/** The filters of the list of deliveries: which times and states are valid, and which deliveries match. */
import { describe, expect, it } from 'vitest';
import type { Delivery } from '../../shared/deliveries/delivery.ts';
import { filterParameters, matches } from '../../shared/deliveries/log/filter.ts';
import { deliveryStates } from '../../shared/deliveries/resource.ts';
import { ValidationError } from '../../shared/foundation/errors.ts';
import type { DeliveryId } from '../../shared/foundation/ids.ts';
import { parseTime } from '../../shared/foundation/iso-time.ts';
import { readQuery } from '../../shared/http/query.ts';

const readFilter = (query: Record<string, string>) => readQuery(filterParameters, query);

const refused = (query: Record<string, string>): ValidationError => {
  try {
    readFilter(query);
  } catch (error) {
    if (error instanceof ValidationError) return error;
  }
  throw new Error('The query is valid.');
};

describe('a time', () => {
  it.each([
    ['2026-11-21', '2026-11-21T00:00:00.000Z'],
    ['2026-11-21T09:30Z', '2026-11-21T09:30:00.000Z'],
    ['2026-11-21T09:30:15Z', '2026-11-21T09:30:15.000Z'],
    ['2026-11-21T09:30:15.1Z', '2026-11-21T09:30:15.100Z'],
    ['2026-11-21T09:30:15.123456789Z', '2026-11-21T09:30:15.123Z'],
    ['2026-11-21T09:30:15+01:30', '2026-11-21T08:00:15.000Z'],
    ['2026-11-21T09:30-08:00', '2026-11-21T17:30:00.000Z'],
    ['2026-11-21t09:30:15z', '2026-11-21T09:30:15.000Z'],
    ['2026-11-21T09:30:15.5z', '2026-11-21T09:30:15.500Z'],
    ['2026-11-21t09:30+01:30', '2026-11-21T08:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['1969-07-20', '1970-01-01T00:00:00.000Z'],
  ])('is read if it is written as %s: %s', (text, time) => {
    expect(parseTime(text)).toBe(Date.parse(time));
  });

  it.each([
    '',
    'yesterday',
    '2026',
    '2026-11',
    '2026-02-30',
    '2026-13-01',
    '2026-11-21T',
    '2026-11-21T09Z',
    '2026-11-21T9:30Z',
    '2026-11-21T09:30',
    '2026-11-21T09:30:15',
    '2026-11-21T25:30Z',
    '2026-11-21T09:30:15.Z',
    '2026-11-21T09:30:15.1234567890Z',
    '2026-11-21T09:30:15+0130',
    '2026-11-21T09:30+1:30',
    ' 2026-11-21',
    '2026-11-21 ',
    '12026-11-21',
    '2026-11-211',
    '2026-11-21 (2026-11-21',
  ])('is invalid if it is written as `%s`', (text) => {
    expect(parseTime(text)).toBeUndefined();
  });
});

it.each([
  '2026-11-21T09:30:15 01:00',
  '2026-11-21t09:30 0530',
  '2026-11-21T09:30:15.5 00:00',
  '2026-11-21T09:30 01:00',
  '2026-11-21T09:30:15.123456789 14:00',
])('the error for a `+` that the query has made a space, as in `%s`, names %2B', (since) => {
  expect(refused({ since }).help).toContain(`\`since=${since.replace(' ', '%2B')}\``);
});

describe('the filter of the list', () => {
  it.each([
    [{ status: 'done' }, `\`status=done\` must be one of ${deliveryStates.join(', ')}.`],
    [{ since: '2026-11-22', until: '2026-11-21' }, '`until=2026-11-21` is before `since`, 2026-11-22.'],
    [{ since: 'now' }, '`since=now` is not a time such as 2026-11-21T09:00:00Z or a day such as 2026-11-21.'],
  ])('%o is refused, with an error that says what is valid: %s', (query, message) => {
    expect(refused(query as Record<string, string>).message).toBe(message);
  });

  it('is refused with an error that quotes at most 50 characters', () => {
    expect(refused({ status: 'x'.repeat(60) }).message).toMatch(/^`status=x{50}…` /);
  });
});

describe('a delivery', () => {
  const delivery = {
    id: 'd1' as DeliveryId,
    status: 'failed',
    event: 'post.added',
    event_id: 'e1',
    body_hash: 'h1',
  } as Delivery;

  it('matches a filter if it has every value that the filter names', () => {
    expect(matches(delivery, {})).toBe(true);
    expect(matches(delivery, { status: 'failed', event: 'post.added', event_id: 'e1', id: delivery.id })).toBe(true);
  });

  it.each([{ status: 'held' }, { event: 'post.edited' }, { event_id: 'e2' }, { id: 'd2' as DeliveryId }] as const)(
    'does not match the filter %o',
    (filter) => {
      expect(matches(delivery, filter)).toBe(false);
    },
  );
});
