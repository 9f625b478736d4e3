/** `npm start` also ends if a signal kills npm; the signal reaches only the shell between the two. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { onParentEnd } from '../../infra/local/parent-process.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('the end of the parent process is reported once', () => {
  let parent = 4711;
  const ended = vi.fn();
  onParentEnd(ended, () => parent);
  vi.advanceTimersByTime(60_000);
  expect(ended).not.toHaveBeenCalled();
  parent = 1;
  vi.advanceTimersByTime(60_000);
  expect(ended).toHaveBeenCalledTimes(1);
});
