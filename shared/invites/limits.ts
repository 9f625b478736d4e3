/** The abuse limits of invitations: mails an address, invites a key, questions a source (wire contract, "Invites"). */

import { normalizedEmail } from '../accounts/address.ts';
import type { Caller } from '../foundation/caller.ts';
import { hour, minute } from '../foundation/clock.ts';
import { TooManyRequestsError } from '../foundation/errors.ts';
import type { Settings } from '../foundation/settings.ts';
import type { Refused, Take } from '../limits/store.ts';

/** Takes from several counters, all or none, at a time in epoch ms; gives those that were over their limit. */
export type TakeAll = (takes: readonly Take[], now: number) => Promise<Refused>;

/**
 * Counts a mail for each address (no two the same) and as many invites for the caller's key, or nothing at all.
 * @throws TooManyRequestsError that names the key's limit, or every address that has had too many mails
 */
export const countInvites = async (
  takeAll: TakeAll,
  emails: readonly string[],
  { keyId }: Caller,
  now: number,
  { mailsPerAddressInTenMinutes, perKeyAndHour }: Settings['invites'],
): Promise<void> => {
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
  const retryAfter = Math.max(...refused.map(({ retryAfterMs }) => retryAfterMs)) / 1000;
  if (refused.some(({ position }) => position === emails.length))
    throw new TooManyRequestsError(`This key may make ${perKeyAndHour} invites an hour.`, retryAfter, {
      context: 'Nobody of this request was invited.',
      help: 'Send it again after the seconds in Retry-After.',
    });
  throw new TooManyRequestsError(
    `${emails[refused[0]?.position ?? 0]} has had ${mailsPerAddressInTenMinutes} mails in ten minutes, and no more are sent.`,
    retryAfter,
    {
      context: 'Nobody of this request was invited.',
      help: 'Leave out the items that `details` lists, or send it again after the seconds in Retry-After.',
      property: 'email',
      details: refused.map(({ position, retryAfterMs }) => ({
        index: position,
        field: 'email',
        rule: 'mails_in_ten_minutes',
        limit: mailsPerAddressInTenMinutes,
        received: `an address that may be mailed again in ${Math.ceil(retryAfterMs / 1000)} s`,
      })),
    },
  );
};

/** Counts a question of somebody without a key. @throws TooManyRequestsError */
export const countLookup = async (
  takeAll: TakeAll,
  sourceIp: string,
  now: number,
  { lookupsPerSourceAndMinute: limit }: Settings['invites'],
): Promise<void> => {
  const [refused] = await takeAll(
    [{ name: `lookups of ${sourceIp}`, count: 1, window: { limit, windowMs: minute } }],
    now,
  );
  if (refused !== undefined)
    throw new TooManyRequestsError('Too many questions came from this address.', refused.retryAfterMs / 1000, {
      help: 'Ask again after the seconds in Retry-After.',
    });
};
