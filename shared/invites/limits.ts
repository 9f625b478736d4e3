/** The limits of invitations: mails per address, invites per key, lookups per source address (docs/compatibility.md, "Invites"). */
import { normalizedEmail } from '../accounts/address.ts';
import type { Caller } from '../foundation/caller.ts';
import { hour, minute, second } from '../foundation/clock.ts';
import { settings } from '../foundation/environment.ts';
import { TooManyRequestsError } from '../foundation/errors.ts';
import { takeAll } from '../limits/store.ts';

/**
 * Counts a mail for each address (no duplicates) and as many invites for the key of the caller, all or nothing.
 * @throws TooManyRequestsError for the limit of the key, or for all addresses over their limit
 */
export const countInvites = async (emails: readonly string[], { keyId }: Caller, now: number): Promise<void> => {
  const { mailsPerAddressInTenMinutes, perKeyAndHour } = settings().invites;
  const perAddress = { limit: mailsPerAddressInTenMinutes, windowMs: 10 * minute };
  const perKey = { limit: perKeyAndHour, windowMs: hour };
  const refused = await takeAll(
    [
      ...emails.map((email) => ({ name: `mails to ${normalizedEmail(email)}`, count: 1, window: perAddress })),
      { name: `invites of key ${keyId}`, count: emails.length, window: perKey },
    ],
    now,
  );
  if (refused.length === 0) return;
  const retryAfter = Math.max(...refused.map(({ retryAfterMs }) => retryAfterMs)) / second;
  const context = 'The request was refused as a whole: no invite was created.';
  if (refused.some(({ position }) => position === emails.length))
    throw new TooManyRequestsError(`The limit of ${perKeyAndHour} invites per key and hour is reached.`, retryAfter, {
      context,
      help: 'Retry after the seconds in Retry-After.',
    });
  throw new TooManyRequestsError(
    `The limit of ${mailsPerAddressInTenMinutes} mails in ten minutes is reached for ${emails[refused[0]?.position ?? 0]}.`,
    retryAfter,
    {
      context,
      help: 'Remove the items listed in `details`, or retry after the seconds in Retry-After.',
      property: 'email',
      details: refused.map(({ position, retryAfterMs }) => ({
        index: position,
        field: 'email',
        rule: 'mails_in_ten_minutes',
        limit: mailsPerAddressInTenMinutes,
        received: `an address that can be mailed again in ${Math.ceil(retryAfterMs / second)} s`,
      })),
    },
  );
};

/** Counts a lookup without a key. @throws TooManyRequestsError */
export const countLookup = async (sourceIp: string, now: number): Promise<void> => {
  const limit = settings().invites.lookupsPerSourceAndMinute;
  const window = { limit, windowMs: minute };
  const [refused] = await takeAll([{ name: `lookups of ${sourceIp}`, count: 1, window }], now);
  if (refused !== undefined)
    throw new TooManyRequestsError('Too many requests from this address.', refused.retryAfterMs / second, {
      help: 'Retry after the seconds in Retry-After.',
    });
};
