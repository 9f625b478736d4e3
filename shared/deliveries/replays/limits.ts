/** The hourly limits of a staff member or an integration for replays and redeliveries. */
import { type Caller, countedAs } from '../../foundation/caller.ts';
import { hour, systemClock } from '../../foundation/clock.ts';
import type { Settings } from '../../foundation/settings.ts';
import { takeOne } from '../../limits/store.ts';

type Rules = Settings['deliveries'];

const countRequest = (what: 'replays' | 'redeliveries', caller: Caller, limit: number): Promise<void> => {
  const message = `You can request ${limit} ${what} an hour.`;
  return takeOne(`${what} of ${countedAs(caller)}`, { limit, windowMs: hour }, systemClock(), message);
};

/** Counts a replay of the caller. @throws TooManyRequestsError */
export const countReplay = (caller: Caller, { replaysPerCallerAndHour }: Rules): Promise<void> =>
  countRequest('replays', caller, replaysPerCallerAndHour);

/** Counts a redelivery of the caller. @throws TooManyRequestsError */
export const countRedelivery = (caller: Caller, { redeliveriesPerCallerAndHour }: Rules): Promise<void> =>
  countRequest('redeliveries', caller, redeliveriesPerCallerAndHour);
