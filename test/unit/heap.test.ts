/** The garbage of a start is collected once, and not while requests are answered. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { onceQuiet } from '../../infra/commands/heap.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('what a start leaves is collected when no request was answered for a second', () => {
  // Given a stack that is ready
  const collect = vi.fn();
  const answered = onceQuiet(collect);
  // When it answers a request before each second is over
  for (let request = 0; request < 3; request++) {
    vi.advanceTimersByTime(999);
    answered();
  }
  // Then
  expect(collect).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1000);
  expect(collect).toHaveBeenCalledOnce();
});

test('it is collected once', () => {
  const collect = vi.fn();
  const answered = onceQuiet(collect);
  vi.advanceTimersByTime(1000);
  answered();
  vi.advanceTimersByTime(10_000);
  expect(collect).toHaveBeenCalledOnce();
});
