/** `npm start` ends when npm was ended by a signal, which reaches the shell between them only. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { onParentEnd } from '../../infra/local/parent-process.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('reports once that the parent process has ended', () => {
  let parent = 4711;
  const ended = vi.fn();
  onParentEnd(ended, () => parent);
  vi.advanceTimersByTime(60_000);
  expect(ended).not.toHaveBeenCalled();
  parent = 1;
  vi.advanceTimersByTime(60_000);
  expect(ended).toHaveBeenCalledTimes(1);
});
