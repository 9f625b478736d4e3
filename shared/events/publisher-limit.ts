/** Each publisher's limit: all publishing requests of a staff member, or of an integration and its Ghost site. */
import { second } from '../foundation/clock.ts';
import { settings } from '../foundation/environment.ts';
import { TooManyRequestsError } from '../foundation/errors.ts';
import { sampledLimits } from '../limits/sampled.ts';

const take = sampledLimits();

/** Counts a request of a publisher. @throws TooManyRequestsError */
export const countPublication = async (publisher: string, now: number): Promise<void> => {
  const { requestsPerCallerAndMinute: limit } = settings().publishing;
  const waitMs = await take(`publications of ${publisher}`, limit, now);
  if (waitMs > 0)
    throw new TooManyRequestsError(`You can publish with ${limit} requests a minute.`, waitMs / second, {
      help: 'Retry after the seconds in Retry-After. A request can contain ten events.',
    });
};
