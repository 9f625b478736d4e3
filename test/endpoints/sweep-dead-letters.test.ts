/** The sweep counts dead letters for their alarm. */
import { expect, it, vi } from 'vitest';
import { takeLog } from '../support/log-lines.ts';
import { freshStack } from '../support/parts.ts';

process.env.METRICS_NAMESPACE = 'Masthead';
const log = takeLog();
const stack = await freshStack();

it('the sweep counts the dead letters of all queues, once in each five minutes', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const counted = () => log.lines().flatMap(({ DeadLetters }) => DeadLetters ?? []);
  await stack.sendDead('events', { id: 'lost' });
  await stack.sendDead('mail', { id: 'lost' });
  for (let minutes = 0; minutes < 10; minutes++) {
    await stack.invoke('due/sweep', {});
    // A schedule runs some milliseconds early or late.
    vi.setSystemTime(Date.now() + 60_000 - minutes);
  }
  vi.useRealTimers();
  expect(counted()).toEqual([2, 2]);
});
