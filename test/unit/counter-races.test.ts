/** Counters of caps and mail turns under concurrent changes: no cap is passed, and no turn is given twice. */
import { describe, expect, it } from 'vitest';
import { awsInMemory } from '../support/aws-in-memory.ts';

const aws = awsInMemory();
Object.assign(process.env, aws.environment);
const { countAgain, takePlace } = await import('../../shared/limits/cap.ts');
const { takeTurns } = await import('../../shared/limits/store.ts');

const key = { pk: 'COUNTED', sk: 'COUNT' };
const capOf = (max: number, existing: () => number) => ({ key, max, count: async () => existing() });
const count = () => aws.read(key).count;

describe('a place below a cap', () => {
  it('is given back to the count that it was taken from', async () => {
    aws.put(key, { count: 3, counted_at: 1, revision: 'first' });
    const place = await takePlace(capOf(10, () => 3));
    expect(count()).toBe(4);
    await place?.giveBack();
    expect(count()).toBe(3);
  });

  it('is not given back to a later count, which did not include it', async () => {
    aws.put(key, { count: 3, counted_at: 1, revision: 'first' });
    const place = await takePlace(capOf(10, () => 3));
    aws.put(key, { count: 5, counted_at: 2, revision: 'second' });
    await place?.giveBack();
    expect(count()).toBe(5);
  });
});

describe('places below a large cap', () => {
  const large = (max: number, existing = 0) => ({
    ...capOf(max, () => existing),
    key: { pk: `CAP OF ${max}`, sk: 'COUNT' },
  });
  const take = async (cap: Parameters<typeof takePlace>[0], places: number) => {
    const taken = [];
    for (let place = 0; place < places; place++) taken.push(await takePlace(cap));
    return taken.filter((place) => place !== undefined).length;
  };

  it('are counted before they are used, a 300th part of the cap at once', async () => {
    const cap = large(3000);
    aws.put(cap.key, { count: 5, counted_at: 1, revision: 'first' });
    expect(await take(cap, 10)).toBe(10);
    expect(aws.read(cap.key).count).toBe(15);
    expect(await take(cap, 1)).toBe(1);
    expect(aws.read(cap.key).count).toBe(25);
  });

  it('are taken one by one near the cap, which one environment never passes', async () => {
    const cap = large(6000, 6000);
    aws.put(cap.key, { count: 5985, counted_at: 1, revision: 'first' });
    expect(await take(cap, 20)).toBe(15);
    expect(aws.read(cap.key).count).toBe(6000);
  });
});

describe('a new count', () => {
  const found = { count: 10, counted_at: 1, revision: 'first' };
  const recount = () =>
    countAgain(
      capOf(10, () => 4),
      found,
    );

  it('replaces the counter that has reached the cap', async () => {
    aws.put(key, found);
    await recount();
    expect(count()).toBe(4);
  });

  it.each([
    ['something was added', { ...found, count: 11 }],
    ['another request has counted', { ...found, revision: 'second' }],
  ])('is dropped if %s since the counter was read', async (_, meanwhile) => {
    aws.put(key, meanwhile);
    await recount();
    expect(aws.read(key)).toMatchObject(meanwhile);
  });

  it('is dropped if another request has started the counter', async () => {
    aws.put(key, { count: 7, counted_at: 1, revision: 'second' });
    await countAgain(
      capOf(10, () => 4),
      undefined,
    );
    expect(count()).toBe(7);
  });
});

it('turns to send mail are given to one of two environments that ask at the same time', async () => {
  const now = Date.parse('2026-11-26T10:20:00.000Z');
  const rate = { perSecond: 10, perDay: null };
  const [one, other] = await Promise.all([takeTurns(5, now, 10_000, rate), takeTurns(5, now, 10_000, rate)]);
  const turns = [...one.turns, ...other.turns];
  expect(turns).toHaveLength(10);
  expect(new Set(turns).size).toBe(10);
});
