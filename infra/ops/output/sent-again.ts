/** Follows a replay or a recovery until it ends. */
import { setTimeout } from 'node:timers/promises';
import type { Recovery, Replay } from '../api/resources.ts';
import { startPercent } from './progress.ts';

/** Returns a replay or a recovery when it has ended. `read` reads it again, every second. @throws RequestError */
export const endOf = async <Running extends Replay | Recovery>(
  started: Running,
  read: () => Promise<Running>,
): Promise<Running> => {
  const bar = startPercent();
  try {
    for (let current = started; ; current = await read()) {
      const { percent, checked, replayed } = current.progress;
      bar.update(percent, `${checked} checked, ${replayed} sent again`);
      if (current.state !== 'running') return current;
      await setTimeout(1000);
    }
  } finally {
    bar.stop();
  }
};
