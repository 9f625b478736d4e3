/** The row that throttles stand in: no period has more requests than the limit, and nobody overtakes. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Pace, type Place, type Row, takePlaces } from '../../shared/limits/row.ts';

const now = 1_795_000_000_000;
const second = 1000;
const periods = { second, minute: 60 * second } as const;

const rowOf = (pace: Pace) => {
  let row: Row | undefined;
  return (asking: readonly boolean[], at: number, horizonMs = 0): readonly Place[] => {
    const taken = takePlaces(row, asking, at, pace, horizonMs);
    row = taken.row;
    return taken.places;
  };
};
const fresh = (count: number): boolean[] => Array.from({ length: count }, () => false);

describe('a row', () => {
  it('sends as many at once as its limit allows, and tells the others when to come back, one after the other', () => {
    const ask = rowOf({ limit: 3, per: 'minute' });
    const places = ask(fresh(5), now);
    expect(places.slice(0, 3)).toEqual(fresh(3).map(() => ({ isTaken: true, at: now, until: now + 3 * second })));
    expect(places.slice(3)).toEqual([
      { isTaken: false, at: now + 66 * second },
      { isTaken: false, at: now + 66 * second + 23_100 },
    ]);
  });

  it('has a place again when the first of the last period is over, and no sooner', () => {
    const ask = rowOf({ limit: 1, per: 'second' });
    ask([false], now);
    expect(ask([true], now + 1249)).toEqual([{ isTaken: false, at: now + 1250 }]);
    expect(ask([true], now + 1250)).toMatchObject([{ isTaken: true, at: now + 1250 }]);
  });

  it('gives a place ahead to a request that can wait for it', () => {
    const ask = rowOf({ limit: 1, per: 'second' });
    ask([false], now);
    expect(ask([true], now + 500, second)).toMatchObject([{ isTaken: true, at: now + 1250 }]);
  });

  it('lets nobody overtake those that wait', () => {
    const ask = rowOf({ limit: 2, per: 'minute' });
    const [, , waiting] = ask(fresh(3), now);
    expect(waiting).toMatchObject({ isTaken: false });
    const later = (waiting?.at ?? 0) + second;
    const [newcomer, returned] = ask([false, true], later);
    expect(returned).toMatchObject({ isTaken: true, at: later });
    expect(newcomer).toMatchObject({ isTaken: false });
  });

  it('lets newcomers in at once if those that were told to wait have not come for three minutes', () => {
    const ask = rowOf({ limit: 1, per: 'minute' });
    ask(fresh(100), now);
    const [early] = ask([false], now + 180 * second);
    expect(early).toMatchObject({ isTaken: false });
    expect(ask([false], now + 180 * second + 1)).toMatchObject([{ isTaken: true }]);
  });

  it('is never exceeded in any period, whoever asks, however late, and used as late as a place allows', () => {
    const steps = fc.array(
      fc.record({
        wait: fc.integer({ min: 0, max: 2000 }),
        asking: fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }),
        late: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
      { minLength: 1, maxLength: 80 },
    );
    const pace = fc.record({
      limit: fc.integer({ min: 1, max: 20 }),
      per: fc.constantFrom<Pace['per'][]>('second', 'minute'),
    });
    fc.assert(
      fc.property(steps, pace, fc.constantFrom(0, 1000), (story, of, horizonMs) => {
        const ask = rowOf(of);
        const sent: number[] = [];
        let at = now;
        for (const { wait, asking, late } of story) {
          at += wait * (of.per === 'minute' ? 30 : 1);
          for (const place of ask(asking, at, horizonMs))
            if (place.isTaken) sent.push(place.at + (place.until - place.at) * late);
        }
        const inOrder = sent.toSorted((one, other) => one - other);
        const apart = inOrder.slice(of.limit).map((time, position) => time - (inOrder[position] ?? 0));
        expect(apart.filter((ms) => ms < periods[of.per])).toEqual([]);
      }),
    );
  });

  it('empties itself at nearly its rate: a thousand that wait come one after the other', () => {
    const ask = rowOf({ limit: 10, per: 'second' });
    const places = ask(fresh(1000), now);
    expect(places.filter(({ isTaken }) => isTaken)).toHaveLength(10);
    expect((places.at(-1)?.at ?? 0) - now).toBeLessThan(1000 * 133);
    expect(new Set(places.map(({ at }) => at)).size).toBe(991);
  });
});
