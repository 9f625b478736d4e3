/** Scheduled functions run once per interval, and their local process exists only during a run. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runOnSchedule } from '../../infra/emulator/lambda/schedule.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const run = { functionName: 'sweep', everyMs: 60_000, ruleArn: 'arn:aws:events:::rule/sweep' };

test('the process of a scheduled function ends after its run, but not before', async () => {
  // Given a run that has begun
  const running = Promise.withResolvers<{ ok: true; result: undefined; ms: number }>();
  const pool = { invoke: vi.fn(() => running.promise), cool: vi.fn() };
  const schedule = runOnSchedule(run, pool);
  vi.advanceTimersByTime(59_999);
  expect(pool.invoke).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(pool.invoke).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ resources: [run.ruleArn] }));
  expect(pool.cool).not.toHaveBeenCalled();
  // When it ends
  running.resolve({ ok: true, result: undefined, ms: 1 });
  await running.promise;
  // Then
  await vi.waitFor(() => expect(pool.cool).toHaveBeenCalledOnce());
  schedule.stop();
});
