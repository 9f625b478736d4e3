/** The limits of reading: pages of the log, and previews and trials, which read stored events and evaluate filters. */
import { type Caller, countedAs } from '../../foundation/caller.ts';
import { minute, second } from '../../foundation/clock.ts';
import { TooManyRequestsError } from '../../foundation/errors.ts';
import { sampledLimits } from '../../limits/sampled.ts';
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

/** Pages of the log that a caller can read a minute: the console reads one a second. */
const pages = { least: 120, most: 600 };
/** The webhooks whose logs a caller can read a minute: each costs a query. */
const logsPerMinute = 120_000;

const take = sampledLimits();

/** Counts a page of the log of so many webhooks. @throws TooManyRequestsError */
export const countLogPage = async (caller: Caller, webhooks: number, now: number): Promise<void> => {
  const limit = Math.min(pages.most, Math.max(pages.least, Math.floor(logsPerMinute / Math.max(1, webhooks))));
  const waitMs = await take(`pages of the log for ${countedAs(caller)}`, limit, now);
  if (waitMs > 0)
    throw new TooManyRequestsError(`You can read ${limit} pages of deliveries a minute.`, waitMs / second, {
      help: 'Retry after the seconds in Retry-After. With `webhook_id`, a page reads the log of one webhook only.',
    });
};
