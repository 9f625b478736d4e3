/** The soft deadline of an attempt: a late attempt is reported once, and only if the receiver is the cause. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchAttempt } from '../../shared/deliveries/attempt/soft-deadline.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Watches attempts; `late` lists the reported ones in order. The event loop is idle, but for `keepBusy`'s ms. */
const given = () => {
  let busyMs = 0;
  const late: string[] = [];
  return {
    late,
    watch: (name: string, softMs: number) =>
      watchAttempt(
        softMs,
        () => late.push(name),
        () => performance.now() - busyMs,
      ),
    keepBusy: (ms: number) => {
      busyMs += ms;
    },
  };
};

/** Lets time pass, and runs what waits behind the answers of that moment. */
const pass = async (ms: number) => {
  vi.advanceTimersByTime(ms);
  await new Promise(setImmediate);
};

describe('an attempt', () => {
  it('is reported once as soon as its soft deadline has passed', async () => {
    const { watch, late } = given();
    watch('a', 500);
    await pass(499);
    expect(late).toEqual([]);
    await pass(1);
    expect(late).toEqual(['a']);
    await pass(5000);
    expect(late).toEqual(['a']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is not reported if it was answered in time', async () => {
    const { watch, late } = given();
    const end = watch('a', 500);
    watch('b', 500);
    await pass(400);
    end();
    await pass(5000);
    expect(late).toEqual(['b']);
  });

  it('is not reported if its answer arrived in time but is read after the timer', async () => {
    const { watch, late } = given();
    const end = watch('a', 500);
    // The timer has fired, but its report waits behind answers that are not read yet.
    vi.advanceTimersToNextTimer();
    expect(late).toEqual([]);
    end();
    await pass(0);
    expect(late).toEqual([]);
  });

  it('returns at its end whether it was reported as late', async () => {
    const { watch } = given();
    const [endInTime, endLate] = [watch('a', 500), watch('b', 500)];
    await pass(400);
    expect(endInTime()).toBe(false);
    await pass(100);
    expect(endLate()).toBe(true);
  });
});

describe('attempts with several soft deadlines', () => {
  it('are each reported at their own deadline, in any order of starting', async () => {
    const { watch, late } = given();
    watch('slow', 2000);
    watch('quick', 500);
    watch('medium', 1000);
    await pass(500);
    expect(late).toEqual(['quick']);
    await pass(499);
    expect(late).toEqual(['quick']);
    await pass(1);
    expect(late).toEqual(['quick', 'medium']);
    await pass(1000);
    expect(late).toEqual(['quick', 'medium', 'slow']);
  });
});

describe('a busy event loop', () => {
  it('postpones a report by the time that the loop was busy', async () => {
    const { watch, keepBusy, late } = given();
    watch('a', 500);
    keepBusy(300);
    await pass(799);
    expect(late).toEqual([]);
    await pass(1);
    expect(late).toEqual(['a']);
  });

  it('does not postpone the report of an attempt that starts later', async () => {
    const { watch, keepBusy, late } = given();
    watch('a', 500);
    keepBusy(300);
    await pass(300);
    watch('b', 400);
    await pass(400);
    expect(late).toEqual(['b']);
    await pass(100);
    expect(late).toEqual(['b', 'a']);
  });

  it('postpones a report to at most three times the soft deadline', async () => {
    const { watch, keepBusy, late } = given();
    watch('a', 500);
    keepBusy(5000);
    await pass(1499);
    expect(late).toEqual([]);
    await pass(1);
    expect(late).toEqual(['a']);
  });
});

describe('a timer that fires late because the process was suspended', () => {
  /** Suspends the process for so long after the timer should have fired. */
  const standStill = (ms: number) => {
    const now = performance.now();
    const later = vi.spyOn(performance, 'now').mockReturnValue(now + 500 + ms);
    vi.advanceTimersToNextTimer();
    later.mockRestore();
  };

  it('gives all attempts their full soft deadline again', async () => {
    const { watch, late } = given();
    watch('a', 500);
    standStill(101);
    await pass(499);
    expect(late).toEqual([]);
    await pass(200);
    expect(late).toEqual(['a']);
  });

  it('reports late attempts as usual if it is at most 100 ms late', async () => {
    const { watch, late } = given();
    watch('a', 500);
    standStill(100);
    await pass(1);
    expect(late).toEqual(['a']);
  });
});

it('an attempt that has ended leaves no timer', () => {
  const { watch } = given();
  watch('a', 500)();
  expect(vi.getTimerCount()).toBe(0);
});
