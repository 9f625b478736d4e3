/** A batched write: items that arrive close together share one request and its result. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { batchedWrite } from '../../shared/deliveries/records/batched-write.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a batchedWrite', () => {
  it('sends items that arrive within its delay in one request, in their order', async () => {
    const write = vi.fn(async () => {});
    const { add } = batchedWrite<number>(write, 10);
    const all = Promise.all([add(1), add(2)]);
    expect(write).not.toHaveBeenCalled();
    vi.advanceTimersByTime(10);
    await all;
    expect(write.mock.calls).toEqual([[[1, 2]]]);
  });

  it('gives items after a flush the full delay', async () => {
    const write = vi.fn(async () => {});
    const { add, flush } = batchedWrite<number>(write, 10);
    void add(1);
    vi.advanceTimersByTime(6);
    flush();
    void add(2);
    vi.advanceTimersByTime(9);
    expect(write.mock.calls).toEqual([[[1]]]);
    vi.advanceTimersByTime(1);
    expect(write.mock.calls).toEqual([[[1]], [[2]]]);
  });

  it('starts a new batch while the first one is still being written', async () => {
    const first = Promise.withResolvers<void>();
    const write = vi.fn((items: readonly number[]) => (items[0] === 1 ? first.promise : Promise.resolve()));
    const { add, flush } = batchedWrite<number>(write, 10);
    let isWritten = false;
    const one = add(1).then(() => {
      isWritten = true;
    });
    flush();
    const two = add(2);
    flush();
    await two;
    expect(isWritten).toBe(false);
    first.resolve();
    await one;
    expect(write.mock.calls).toEqual([[[1]], [[2]]]);
  });

  it('rejects every item of a failed batch, but no later item', async () => {
    const write = vi.fn(async (items: readonly number[]) => {
      if (items.includes(1)) throw new Error('not taken');
    });
    const { add, flush } = batchedWrite<number>(write, 10);
    const failing = [add(1), add(2)];
    flush();
    const next = add(3);
    flush();
    expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(next).resolves.toBeUndefined();
  });

  it('sends nothing for an empty batch', () => {
    const write = vi.fn(async () => {});
    batchedWrite<number>(write, 10).flush();
    expect(write).not.toHaveBeenCalled();
  });
});
