/** The hourly limits of a key for replays and redeliveries. */
import type { Caller } from '../foundation/caller.ts';
import { hour, second, systemClock } from '../foundation/clock.ts';
import { TooManyRequestsError } from '../foundation/errors.ts';
import type { Settings } from '../foundation/settings.ts';
import { takeAll } from '../limits/store.ts';

type Rules = Settings['deliveries'];

const countRequest = async (what: 'replays' | 'redeliveries', { keyId }: Caller, limit: number): Promise<void> => {
  const take = { name: `${what} of key ${keyId}`, count: 1, window: { limit, windowMs: hour } };
  const [refused] = await takeAll([take], systemClock());
  if (refused !== undefined)
    throw new TooManyRequestsError(`This key can request ${limit} ${what} an hour.`, refused.retryAfterMs / second, {
      help: 'Retry after the seconds in Retry-After.',
    });
};

/** Counts a replay for the caller's key. @throws TooManyRequestsError */
export const countReplay = (caller: Caller, { replaysPerKeyAndHour }: Rules): Promise<void> =>
  countRequest('replays', caller, replaysPerKeyAndHour);

/** Counts a redelivery for the caller's key. @throws TooManyRequestsError */
export const countRedelivery = (caller: Caller, { redeliveriesPerKeyAndHour }: Rules): Promise<void> =>
  countRequest('redeliveries', caller, redeliveriesPerKeyAndHour);
