/** The limit of previews and trials, which read stored events and evaluate filters. */
import { type Caller, countedAs } from '../../foundation/caller.ts';
import { minute } from '../../foundation/clock.ts';
import { takeOne } from '../../limits/store.ts';

/** The console's live preview sends one after a pause of 400 ms in typing. */
const previews = { limit: 120, windowMs: minute };

/** Counts a preview or a trial of the caller. @throws TooManyRequestsError */
export const countPreview = (caller: Caller, now: number): Promise<void> =>
  takeOne(
    `previews of ${countedAs(caller)}`,
    previews,
    now,
    `You can request ${previews.limit} previews and trials of filters a minute.`,
  );
