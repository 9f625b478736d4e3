/** Which due deliveries have lost their message, as far as the length of the slow lane tells. */
import { describe, expect, it } from 'vitest';
import { type DueDelivery, watchLane } from '../../shared/deliveries/records/overdue.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const start = Date.parse('2026-01-01T00:00:00.000Z');
const timestamp = (ms: number) => new Date(ms).toISOString();

/** A watch of a lane whose length the test sets; it counts how often the lane was read. */
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

/** Its message could be received at `start`; the sweep checks it at `dueAt`. */
const due = (dueAt: number): DueDelivery => ({
  created_at: timestamp(start - hour),
  next_attempt_at: timestamp(start),
  due_at: timestamp(dueAt),
});

describe('a due delivery whose message may be lost', () => {
  it('has no message if it is due at the time of its attempt, whatever is in the lane', async () => {
    const { lane, isLost } = given(100_000);
    expect(await isLost(due(start), start)).toBe(true);
    expect(lane.readings).toBe(0);
  });

  it('has lost its message if at most a hundred messages wait in the lane', async () => {
    const at = start + 3 * minute;
    expect(await given(100).isLost(due(at), at)).toBe(true);
    expect(await given(101).isLost(due(at), at)).toBe(false);
  });

  it('has lost its message if the lane has been short since the message was visible', async () => {
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

  it('has a message that waits since its creation if no attempt is planned', async () => {
    const requested = { created_at: timestamp(start), next_attempt_at: null };
    const at = start + 3 * minute;
    expect(await given(101).isLost({ ...requested, due_at: timestamp(at) }, at)).toBe(false);
    expect(await given(101).isLost({ ...requested, due_at: timestamp(start) }, at)).toBe(true);
  });

  it('counts as lost after six hours, and again after each further six hours, even if the lane stays long', async () => {
    const { isLost } = given(101);
    const looks = Array.from({ length: 13 * 10 }, (_, look) => start + 3 * minute + look * 6 * minute);
    const lost: number[] = [];
    for (const at of looks) if (await isLost(due(at), at)) lost.push((at - start) / hour);
    expect(lost).toEqual([6.05, 12.05]);
  });

  it('counts as lost at a first look that is more than six hours late', async () => {
    const at = start + 3 * minute;
    expect(await given(101).isLost(due(at), start + 7 * hour)).toBe(true);
  });
});

describe('the length of the lane', () => {
  it('is read only if one of the deliveries may still have a message', async () => {
    let readings = 0;
    const lost = watchLane({ lookAgainMs: 6 * minute, waiting: async () => ++readings + 100 });
    const at = start + 3 * minute;
    const far = due(start);
    expect(await lost([far, due(at)], at)).toEqual([far]);
    expect(readings).toBe(1);
  });

  it('is read at most once in ten seconds', async () => {
    const { lane, isLost } = given(101);
    const at = start + 3 * minute;
    await Promise.all([isLost(due(at), at), isLost(due(at), at + 1)]);
    await isLost(due(at), at + 10 * second - 1);
    expect(lane.readings).toBe(1);
    await isLost(due(at), at + 10 * second);
    expect(lane.readings).toBe(2);
  });

  it('is read again at once after an error; until then no delivery counts as lost', async () => {
    const { lane, isLost } = given(0);
    const at = start + 3 * minute;
    lane.fault = new Error('no answer');
    await expect(isLost(due(at), at)).rejects.toThrow('no answer');
    lane.fault = undefined;
    expect(await isLost(due(at), at)).toBe(true);
  });
});
