/** The limits of mails, invites and lookups of invitations (docs/compatibility.md, "Invites"). */

import { type Caller, countedAs } from '../foundation/caller.ts';
import { hour, minute, second } from '../foundation/clock.ts';
import { normalizedEmail } from '../foundation/email.ts';
import { settings } from '../foundation/environment.ts';
import { TooManyRequestsError } from '../foundation/errors.ts';
import { takeAll, takeOne } from '../limits/store.ts';

/** Counts invites for the caller, whether they succeed or not. @throws TooManyRequestsError */
export const countInvites = async (count: number, caller: Caller, now: number): Promise<void> => {
  const { perCallerAndHour, perIntegrationAndHour } = settings().invites;
  const limit = caller.kind === 'staff' ? perCallerAndHour : perIntegrationAndHour;
  const [refused] = await takeAll(
    [{ name: `invites of ${countedAs(caller)}`, count, window: { limit, windowMs: hour } }],
    now,
  );
  if (refused !== undefined)
    throw new TooManyRequestsError(`The limit of ${limit} invites an hour is reached.`, refused.retryAfterMs / second, {
      context: `${noInvite} Refused items count as well.`,
      help: 'Retry after the seconds in Retry-After.',
    });
};

const noInvite = 'The request was refused as a whole: no invite was created.';

/**
 * Counts a mail to each address (no duplicates; `index` is its item's), all or nothing. Each inviter has a counter
 * per address: one cannot use up what the others may send.
 * @throws TooManyRequestsError for all addresses over their limit
 */
export const countMails = async (
  mails: readonly { readonly index: number; readonly email: string }[],
  caller: Caller,
  now: number,
): Promise<void> => {
  if (mails.length === 0) return;
  const { mailsPerAddressInTenMinutes: limit } = settings().invites;
  const window = { limit, windowMs: 10 * minute };
  const inviter = caller.kind === 'staff' ? caller.staffId : caller.integrationId;
  const refused = await takeAll(
    mails.map(({ email }) => ({ name: `mails of ${inviter} to ${normalizedEmail(email)}`, count: 1, window })),
    now,
  );
  if (refused.length === 0) return;
  throw new TooManyRequestsError(
    `The limit of ${limit} mails in ten minutes per inviter is reached for ${mails[refused[0]?.position ?? 0]?.email}.`,
    Math.max(...refused.map(({ retryAfterMs }) => retryAfterMs)) / second,
    {
      context: noInvite,
      help: 'Remove the items listed in `details`, or retry after the seconds in Retry-After.',
      property: 'email',
      details: refused.map(({ position, retryAfterMs }) => ({
        index: mails[position]?.index ?? null,
        field: 'email',
        rule: 'mails_in_ten_minutes',
        limit,
        received: `an address that can be mailed again in ${Math.ceil(retryAfterMs / second)} s`,
      })),
    },
  );
};

/** Counts a lookup without a key. @throws TooManyRequestsError */
export const countLookup = (sourceIp: string, now: number): Promise<void> => {
  const limit = settings().invites.lookupsPerSourceAndMinute;
  return takeOne(`lookups of ${sourceIp}`, { limit, windowMs: minute }, now, 'Too many requests from this address.');
};
