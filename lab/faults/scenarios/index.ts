/** The scenarios of `npm --prefix lab run simulate`, by name. */
import { hung, refused } from './catching-up.ts';
import { deadLetters } from './dead-letters.ts';
import { movedHooks, slowFanOut, wideFanOut } from './fan-out.ts';
import { fortyFlip, manyFlip, thousandFlip } from './flipping.ts';
import { manyHanging } from './hanging.ts';
import { lateAnswers } from './late-answers.ts';
import { manyReplays } from './many-replays.ts';
import { fiveHang, nineHang, oneHangs } from './one-hangs.ts';
import { replay } from './replay.ts';
import type { Scenario } from './scenario.ts';
import { sharedOrigin } from './shared-origin.ts';
import { storm } from './storm.ts';
import { dueRetries } from './sweep.ts';
import { throttle } from './throttle.ts';
import { wideEvent } from './wide-event.ts';

export const scenarios: Readonly<Record<string, Scenario>> = {
  'shared-origin': sharedOrigin,
  'late-answers': lateAnswers,
  'many-hanging': manyHanging,
  'forty-flip': fortyFlip,
  'many-flip': manyFlip,
  'thousand-flip': thousandFlip,
  'one-hangs': oneHangs,
  'five-hang': fiveHang,
  'nine-hang': nineHang,
  'back-after-refusing': refused,
  'back-after-hanging': hung,
  replay,
  'many-replays': manyReplays,
  'wide-fan-out': wideFanOut,
  'wide-event': wideEvent,
  'slow-fan-out': slowFanOut,
  'moved-hooks': movedHooks,
  'due-retries': dueRetries,
  'dead-letters': deadLetters,
  throttle,
  storm: {
    shows:
      '50,000 deliveries under kills, duplicates, throttles, lost answers, conflicts, outages and edits; ' +
      'a million with --seeds 20',
    run: (options) => {
      const { scale = 1 } = options;
      return storm({ ...options, deliveries: 50_000 * scale, large: Math.ceil(20 * scale) });
    },
  },
};
