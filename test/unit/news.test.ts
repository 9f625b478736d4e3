/** What people are told of something that lasts: its start and end and, every six hours at most, what is new. */
import { describe, expect, it } from 'vitest';
import { judgeNews, type News, type Told } from '../../shared/limits/news.ts';

const minute = 60_000;
const hour = 60 * minute;
const begins = (id: string, at: number): News => ({ kind: 'begins', id, at });
const ends = (id: string, isEarly = false): News => ({ kind: 'ends', id, at: 0, isEarly });

const judged = (...news: readonly (readonly [at: number, News])[]) => {
  let told: Told | undefined;
  return news.map(([now, one]) => {
    const verdict = judgeNews(told, one, now);
    if (verdict.kind === 'tell') told = verdict.told;
    return verdict.kind === 'wait' ? verdict.waitMs : verdict.kind;
  });
};

describe('news', () => {
  it('are told when something begins and when it ends, also if it begins again at once', () => {
    expect(judged([0, begins('a', 0)], [minute, ends('b')], [2 * minute, begins('c', 2 * minute)])).toEqual([
      'tell',
      'tell',
      'tell',
    ]);
  });

  it('of what was true when it was last told are dropped', () => {
    expect(judged([hour, begins('a', 0)], [hour + 1, begins('b', hour)])).toEqual(['tell', 'drop']);
  });

  it('of what is new wait until six hours after the last', () => {
    expect(judged([0, begins('a', 0)], [hour, begins('b', hour)], [6 * hour, begins('b', hour)])).toEqual([
      'tell',
      5 * hour,
      'tell',
    ]);
  });

  it('of an end are told only after a beginning, and once', () => {
    expect(judged([0, ends('a')], [1, begins('b', 1)], [2, ends('c')], [3, ends('d')])).toEqual([
      'drop',
      'tell',
      'tell',
      'drop',
    ]);
  });

  it('of a second end within six hours wait, so that what flaps sends no flood', () => {
    expect(
      judged([0, begins('a', 0)], [1, ends('b')], [2, begins('c', 2)], [3, ends('d')], [1 + 6 * hour, ends('d')]),
    ).toEqual(['tell', 'tell', 'tell', 6 * hour - 2, 'tell']);
  });

  it('of an end that is too early to say are judged again soon', () => {
    expect(judged([0, begins('a', 0)], [1, ends('b', true)], [2, ends('b')])).toEqual(['tell', 5 * minute, 'tell']);
  });

  it('are told again if their first copy may have been stopped before its mail', () => {
    expect(judged([0, begins('a', 0)], [1, begins('a', 0)], [2, ends('b')], [3, ends('b')])).toEqual([
      'tell',
      'tell',
      'tell',
      'tell',
    ]);
  });
});
