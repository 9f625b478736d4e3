/** Which due deliveries have lost their message, by what is known of the slow lane. */
import { describe, expect, it } from 'vitest';
import { type DueDelivery, watchLane } from '../../shared/deliveries/records/overdue.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const start = Date.parse('2026-01-01T00:00:00.000Z');
const timestamp = (ms: number) => new Date(ms).toISOString();

/** A watch of a lane whose length is set by the test, and how often it was read. */
const given = (length: number) => {
  const lane = { length, readings: 0, fault: undefined as Error | undefined };
  const lost = watchLane({
    lookAgainMs: 6 * minute,
    waiting: async () => {
      lane.readings++;
      if (lane.fault !== undefined) throw lane.fault;
      return lane.length;
    },
  });
  return { lane, isLost: async (delivery: DueDelivery, now: number) => (await lost([delivery], now)).length === 1 };
};

/** Its message could be received at `start`; it became due at `dueAt`. */
const due = (dueAt: number): DueDelivery => ({
  created_at: timestamp(start - hour),
  next_attempt_at: timestamp(start),
  due_at: timestamp(dueAt),
});

describe('a due delivery', () => {
  it('has no message where it became due at the time of its attempt, which needs no look at the lane', async () => {
    const { lane, isLost } = given(100_000);
    expect(await isLost(due(start), start)).toBe(true);
    expect(lane.readings).toBe(0);
  });

  it('has lost its message where at most a hundred wait in the lane', async () => {
    const at = start + 3 * minute;
    expect(await given(100).isLost(due(at), at)).toBe(true);
    expect(await given(101).isLost(due(at), at)).toBe(false);
  });

  it('has lost its message where the lane was short since the message could be received, and not where it was before', async () => {
    for (const [shortAt, isLost] of [
      [start, true],
      [start - 1, false],
    ] as const) {
      const watch = given(0);
      await watch.isLost({ ...due(shortAt), next_attempt_at: timestamp(shortAt - hour) }, shortAt);
      watch.lane.length = 101;
      const at = start + 3 * minute;
      expect(await watch.isLost(due(at), at)).toBe(isLost);
    }
  });

  it('waits for its first message from its creation, where no attempt is planned', async () => {
    const requested = { created_at: timestamp(start), next_attempt_at: null };
    const at = start + 3 * minute;
    expect(await given(101).isLost({ ...requested, due_at: timestamp(at) }, at)).toBe(false);
    expect(await given(101).isLost({ ...requested, due_at: timestamp(start) }, at)).toBe(true);
  });

  it('has lost its message once in each six hours, however long the lane is', async () => {
    const { isLost } = given(101);
    const looks = Array.from({ length: 13 * 10 }, (_, look) => start + 3 * minute + look * 6 * minute);
    const lost: number[] = [];
    for (const at of looks) if (await isLost(due(at), at)) lost.push((at - start) / hour);
    expect(lost).toEqual([6.05, 12.05]);
  });

  it('is found at the first look where that comes after six hours', async () => {
    const at = start + 3 * minute;
    expect(await given(101).isLost(due(at), start + 7 * hour)).toBe(true);
  });
});

describe('the lane', () => {
  it('is read if one of the deliveries may have a message', async () => {
    let readings = 0;
    const lost = watchLane({ lookAgainMs: 6 * minute, waiting: async () => ++readings + 100 });
    const at = start + 3 * minute;
    const far = due(start);
    expect(await lost([far, due(at)], at)).toEqual([far]);
    expect(readings).toBe(1);
  });

  it('is read once in ten seconds', async () => {
    const { lane, isLost } = given(101);
    const at = start + 3 * minute;
    await Promise.all([isLost(due(at), at), isLost(due(at), at + 1)]);
    await isLost(due(at), at + 10 * second - 1);
    expect(lane.readings).toBe(1);
    await isLost(due(at), at + 10 * second);
    expect(lane.readings).toBe(2);
  });

  it('is read again at once where that has failed, and nothing is judged without it', async () => {
    const { lane, isLost } = given(0);
    const at = start + 3 * minute;
    lane.fault = new Error('no answer');
    await expect(isLost(due(at), at)).rejects.toThrow('no answer');
    lane.fault = undefined;
    expect(await isLost(due(at), at)).toBe(true);
  });
});
