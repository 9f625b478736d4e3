/** The time of the next attempt of a delivery. */
import { describe, expect, it } from 'vitest';
import { endOfAttempts, keptDays, nextAttempt, retryAfterMs } from '../../shared/deliveries/schedule.ts';

const now = Date.parse('2026-11-21T12:00:00.000Z');
/** The seconds before each attempt. */
const schedule = [0, 5, 300, 3600];
/** An end of the attempts that these tests do not reach. */
const later = Number.POSITIVE_INFINITY;
const first = () => 0;
const middle = () => 0.5;
const last = () => 1;

describe('the schedule of retries', () => {
  it('ends after seven days; the event is kept until its last delivery leaves the log', () => {
    expect(keptDays({ keepDays: 30 })).toBe(37);
    expect(endOfAttempts({ created_at: new Date(now).toISOString() })).toBe(now + 7 * 86_400_000);
  });

  it.each([
    [1, 5],
    [2, 300],
    [3, 3600],
  ])('waits, after %i attempts, %i s, a fifth less or more', (attempts, seconds) => {
    const at = (random: () => number) => nextAttempt(now, attempts, schedule, 0, later, random);
    expect(at(first)).toEqual({ at: now + seconds * 800, askedFor: undefined, addedMs: 0 });
    expect(at(middle)).toEqual({ at: now + seconds * 1000, askedFor: undefined, addedMs: 0 });
    expect(at(last)).toEqual({ at: now + seconds * 1200, askedFor: undefined, addedMs: 0 });
  });

  it('is computed in whole milliseconds', () => {
    expect(nextAttempt(now, 1, schedule, 0, later, () => 0.333_333)?.at).toBe(now + 4667);
  });

  it('has no attempt after the last one', () => {
    expect(nextAttempt(now, 4, schedule, 1000, later, middle)).toBeUndefined();
  });
});

describe('a time that the receiver asks for', () => {
  it.each([
    ['sooner than the schedule', 4000],
    ['exactly at the scheduled time', 5000],
  ])('%s does not change the schedule, but is remembered', (_, asked) => {
    expect(nextAttempt(now, 1, schedule, asked, later, middle)).toEqual({
      at: now + 5000,
      askedFor: now + asked,
      addedMs: 0,
    });
  });

  it('is respected if it is later than the schedule, plus at most a tenth', () => {
    const at = (random: () => number) => nextAttempt(now, 1, schedule, 20_000, later, random);
    expect(at(first)).toEqual({ at: now + 20_000, askedFor: now + 20_000, addedMs: 20_000 - 4000 });
    expect(at(middle)).toEqual({ at: now + 21_000, askedFor: now + 20_000, addedMs: 21_000 - 5000 });
    expect(at(last)).toEqual({ at: now + 22_000, askedFor: now + 20_000, addedMs: 22_000 - 6000 });
  });

  it('leaves no attempt if it is later than the end of all attempts', () => {
    const at = now + 20_000;
    expect(nextAttempt(now, 1, schedule, 20_000, at, first)?.at).toBe(at);
    expect(nextAttempt(now, 1, schedule, 20_000, at - 1, first)).toBeUndefined();
    expect(nextAttempt(now, 2, schedule, 0, at, first)).toBeUndefined();
  });
});

describe('the header `Retry-After`', () => {
  it.each([
    ['120', 120_000],
    [' 120 ', 120_000],
    ['0', 0],
    ['86399', 86_399_000],
    ['99999999999', 86_400_000],
    ['Sat, 28 Nov 2026 12:00:00 GMT', 86_400_000],
    ['Sat, 21 Nov 2026 12:01:00 GMT', 60_000],
    [' sat, 21 nov 2026 12:01:00 gmt', 60_000],
    ['Sat, 21 Nov 2026 11:59:00 GMT', 0],
    ['292.052', 292_052],
    ['120.0', 120_000],
    ['0.0004', 1],
    [' 1.5 ', 1_500],
    ['5.', 5_000],
    [`${'9'.repeat(400)}.5`, 86_400_000],
  ])('%j means %i ms', (header, ms) => {
    expect(retryAfterMs(header, now)).toBe(ms);
  });

  it.each([
    undefined,
    '',
    ' ',
    'soon',
    '-5',
    '.5.1',
    '1,5',
    '1e3',
    '5 minutes',
    'in 5',
    '2026-11-21T12:01:00Z',
    'May 2 2027',
    'Sunday?',
    'The Sat, 21 Nov 2026 12:01:00 GMT',
  ])('%j means nothing', (header) => {
    expect(retryAfterMs(header, now)).toBe(0);
  });
});
