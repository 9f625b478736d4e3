/** Garbage is collected when a thread has nothing to do, and only when there is enough of it. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { collectWhenQuiet } from '../../infra/emulator/lambda/collect.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A heap of 10 bytes that are live, and what `grow` adds. */
const makeHeap = () => {
  let size = 15;
  return {
    size: () => size,
    collect: vi.fn(() => {
      size = 10;
    }),
    grow(bytes: number) {
      size += bytes;
    },
  };
};

test('what a start leaves is collected when there was no event for two seconds', () => {
  // Given a thread that has started
  const heap = makeHeap();
  const active = collectWhenQuiet(2000, heap);
  // When it has an event before each two seconds are over
  for (let event = 0; event < 3; event++) {
    vi.advanceTimersByTime(1999);
    active();
  }
  // Then
  expect(heap.collect).not.toHaveBeenCalled();
  vi.advanceTimersByTime(2000);
  expect(heap.collect).toHaveBeenCalledOnce();
});

test('later garbage is collected when there was no event for a minute, once the heap has grown by half', () => {
  // Given a heap that was collected
  const heap = makeHeap();
  const active = collectWhenQuiet(2000, heap);
  vi.advanceTimersByTime(2000);
  // When it grows by less than half
  heap.grow(4);
  active();
  vi.advanceTimersByTime(60_000);
  // Then it is left alone
  expect(heap.collect).toHaveBeenCalledOnce();
  // When it has grown by half
  heap.grow(1);
  active();
  vi.advanceTimersByTime(59_999);
  expect(heap.collect).toHaveBeenCalledOnce();
  // Then
  vi.advanceTimersByTime(1);
  expect(heap.collect).toHaveBeenCalledTimes(2);
});

test('a burst of events a few seconds after the last one costs no collection', () => {
  const heap = makeHeap();
  const active = collectWhenQuiet(2000, heap);
  vi.advanceTimersByTime(2000);
  for (let burst = 0; burst < 10; burst++) {
    heap.grow(100);
    active();
    vi.advanceTimersByTime(5000);
  }
  expect(heap.collect).toHaveBeenCalledOnce();
});
