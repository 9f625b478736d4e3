/** Rate limits and the rate of mails, with an injected clock. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rateOfInvites, rateOfNotices, reserveTurns, type Turns } from '../../shared/limits/rate.ts';
import { type Taken, takeFromWindow, type Window } from '../../shared/limits/window.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/** Takes from the window at each of these times, and returns the results. */
const story = (window: Window, takes: readonly { at: number; count: number }[]) => {
  let taken: readonly Taken[] = [];
  return takes.map(({ at, count }) => {
    const outcome = takeFromWindow(taken, count, at, window);
    if ('taken' in outcome) taken = outcome.taken;
    return outcome;
  });
};

describe('a limit per window', () => {
  const fiveInTenMinutes = { limit: 5, windowMs: 10 * minute };

  it('allows its full number of requests at once; the next must wait until the first leaves the window', () => {
    const now = 1_795_000_000_000;
    const [, , , , fifth, sixth] = story(
      fiveInTenMinutes,
      Array.from({ length: 6 }, () => ({ at: now, count: 1 })),
    );
    expect(fifth).toHaveProperty('taken');
    expect(sixth).toEqual({ retryAfterMs: 10 * minute });
  });

  it('tells when to try again, and that try succeeds', () => {
    const now = 1_795_000_000_000;
    const times = [0, 1, 2, 3, 4].map((minutes) => ({ at: now + minutes * minute, count: 1 }));
    const refused = story(fiveInTenMinutes, [...times, { at: now + 5 * minute, count: 2 }]).at(-1);
    expect(refused).toEqual({ retryAfterMs: 6 * minute });
    const again = story(fiveInTenMinutes, [...times, { at: now + 11 * minute, count: 2 }]).at(-1);
    expect(again).toHaveProperty('taken');
  });

  it('never allows more than the limit in one take', () => {
    expect(takeFromWindow([], 6, 0, fiveInTenMinutes)).toEqual({ retryAfterMs: 10 * minute });
  });

  it('is never exceeded in any window, and the counter stays small', () => {
    const takes = fc.array(
      fc.record({ wait: fc.integer({ min: 0, max: 3 * minute }), count: fc.integer({ min: 1, max: 4 }) }),
      {
        minLength: 1,
        maxLength: 80,
      },
    );
    fc.assert(
      fc.property(takes, fc.integer({ min: 1, max: 20 }), (steps, limit) => {
        let at = 1_795_000_000_000;
        let taken: readonly Taken[] = [];
        const through: { at: number; count: number }[] = [];
        for (const { wait, count } of steps) {
          at += wait;
          const outcome = takeFromWindow(taken, count, at, { limit, windowMs: 10 * minute });
          if ('taken' in outcome) {
            taken = outcome.taken;
            through.push({ at, count });
          } else expect(outcome.retryAfterMs).toBeGreaterThan(0);
          const inWindow = through.filter((one) => one.at > at - 10 * minute);
          expect(inWindow.reduce((sum, one) => sum + one.count, 0)).toBeLessThanOrEqual(limit);
          expect(taken.length).toBeLessThanOrEqual(13);
        }
      }),
    );
  });
});

describe('the turns of outgoing mail', () => {
  const sandbox = { perSecond: 1, perDay: 200 };

  it('follow each other slightly slower than SES allows', () => {
    const { turns, state } = reserveTurns(undefined, 14, 1000, 5000, { perSecond: 14, perDay: null });
    expect(turns[0]).toBe(1000);
    expect((turns[13] ?? 0) - 1000).toBeGreaterThan(13 * (1000 / 14));
    expect(state?.next_at).toBeGreaterThan(2000);
  });

  it('continue after the turns that other requests have reserved', () => {
    const first = reserveTurns(undefined, 3, 0, 10_000, sandbox);
    const second = reserveTurns(first.state, 2, 100, 10_000, sandbox);
    expect(second.turns[0]).toBe(first.state?.next_at);
  });

  it('are reserved only for the near future; later mails are told how long to wait', () => {
    const { turns, waitMs, state } = reserveTurns(undefined, 10, 0, 3000, sandbox);
    expect(turns).toHaveLength(3);
    expect(waitMs).toBe(state?.next_at);
    const none = reserveTurns(state, 1, 0, 3000, sandbox);
    expect(none).toEqual({ turns: [], state: undefined, waitMs: state?.next_at });
  });

  it('do not accumulate while no mail is sent', () => {
    const { state } = reserveTurns(undefined, 1, 0, 1000, sandbox);
    const later = reserveTurns(state, 5, day / 2, 10_000, sandbox);
    expect(later.turns[0]).toBe(day / 2);
    expect((later.turns[1] ?? 0) - day / 2).toBeGreaterThanOrEqual(1000);
  });

  it("end with SES's daily quota, and resume 24 hours later", () => {
    let state: Turns | undefined;
    for (let now = 0; now < 200; now++) {
      const given = reserveTurns(state, 1, now * 2000, 10_000, sandbox);
      expect(given.turns).toHaveLength(1);
      state = given.state;
    }
    // 24 hours after the last of them, whose turn could have been 10 s later.
    const resumed = 199 * 2000 + day + 10_000;
    expect(reserveTurns(state, 1, 401_000, 10_000, sandbox)).toEqual({
      turns: [],
      state: undefined,
      waitMs: resumed - 401_000,
    });
    expect(reserveTurns(state, 1, resumed - 1, 10_000, sandbox).turns).toEqual([]);
    expect(reserveTurns(state, 1, resumed, 10_000, sandbox).turns).toEqual([resumed]);
  });

  it('never exceed the daily quota in any 24 hours, for any sequence of requests', () => {
    const hour = 60 * minute;
    const asks = fc.array(
      fc.record({ wait: fc.integer({ min: 0, max: 8 * hour }), wanted: fc.integer({ min: 1, max: 10 }) }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(asks, fc.integer({ min: 1, max: 30 }), (steps, perDay) => {
        let now = 0;
        let state: Turns | undefined;
        const all: number[] = [];
        for (const { wait, wanted } of steps) {
          now += wait;
          const given = reserveTurns(state, wanted, now, 12_000, { perSecond: 1, perDay });
          state = given.state ?? state;
          all.push(...given.turns);
          if (given.turns.length < wanted) expect(given.waitMs).toBeGreaterThan(0);
        }
        for (const from of all)
          expect(all.filter((turn) => turn >= from && turn < from + day).length).toBeLessThanOrEqual(perDay);
      }),
    );
  });

  it('leave half of the day to invitations and sign-in links, however many notices there are', () => {
    let state: Turns | undefined;
    let sent = 0;
    for (let now = 0; now < 150; now++) {
      const given = reserveTurns(state, 1, now * 2000, 10_000, rateOfNotices(sandbox));
      sent += given.turns.length;
      state = given.state ?? state;
    }
    expect(sent).toBe(100);
    expect(reserveTurns(state, 1, 400_000, 10_000, sandbox).turns).toHaveLength(1);
    expect(rateOfNotices({ perSecond: 14, perDay: null })).toEqual({ perSecond: 14, perDay: null });
  });

  it('leave a tenth of the day to sign-in links, however many invitations there are', () => {
    let state: Turns | undefined;
    let sent = 0;
    for (let now = 0; now < 250; now++) {
      const given = reserveTurns(state, 1, now * 2000, 12_000, rateOfInvites(sandbox));
      sent += given.turns.length;
      state = given.state ?? state;
    }
    expect(sent).toBe(180);
    expect(reserveTurns(state, 1, 600_000, 14_000, sandbox).turns).toHaveLength(1);
    expect(rateOfInvites({ perSecond: 14, perDay: null })).toEqual({ perSecond: 14, perDay: null });
    expect(rateOfInvites({ perSecond: 1, perDay: 1 }).perDay).toBe(1);
  });

  it('never exceed the rate in any second, for any sequence of requests', () => {
    const asks = fc.array(
      fc.record({ wait: fc.integer({ min: 0, max: 2000 }), wanted: fc.integer({ min: 1, max: 10 }) }),
      {
        maxLength: 60,
      },
    );
    fc.assert(
      fc.property(asks, fc.integer({ min: 1, max: 50 }), (steps, perSecond) => {
        let now = 0;
        let state: Turns | undefined;
        const all: number[] = [];
        for (const { wait, wanted } of steps) {
          now += wait;
          const given = reserveTurns(state, wanted, now, 12_000, { perSecond, perDay: null });
          state = given.state ?? state;
          for (const turn of given.turns) {
            expect(turn).toBeGreaterThanOrEqual(now);
            expect(turn).toBeLessThanOrEqual(now + 12_000);
          }
          all.push(...given.turns);
        }
        for (const from of all)
          expect(all.filter((turn) => turn >= from && turn < from + 1000).length).toBeLessThanOrEqual(perSecond);
      }),
    );
  });
});
