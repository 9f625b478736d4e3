/** Requests a mail with a sign-in link; the response and the work are the same whether the address belongs to a staff member or not. */
import { normalizedEmail, readAddress } from '../accounts/address.ts';
import { send } from '../aws/queues.ts';
import { minute, second } from '../foundation/clock.ts';
import { settings } from '../foundation/environment.ts';
import { TooManyRequestsError } from '../foundation/errors.ts';
import type { StaffId } from '../foundation/ids.ts';
import { newId } from '../foundation/new-id.ts';
import { takeAll } from '../limits/store.ts';
import type { SignInMessage } from './schema.ts';

/**
 * Counts the request, and asks the mailer for a link. `now` in epoch ms.
 * @throws TooManyRequestsError, ServiceUnavailableError
 */
export const requestSignIn = async (email: string, sourceIp: string, now: number): Promise<void> => {
  await countRequest(email, sourceIp, now);
  const address = await readAddress(email);
  // For an unknown address the mailer looks up a member that does not exist, and sends nothing.
  const staff_id = address?.holder === 'staff' ? address.staff_id : newId<StaffId>();
  const body: SignInMessage = { sign_in: { staff_id, requested_at: now, waits: 0 } };
  await send('mail', [{ body }]);
};

/** Unknown addresses count as well, so that a refusal reveals nothing about them. @throws TooManyRequestsError */
const countRequest = async (email: string, sourceIp: string, now: number): Promise<void> => {
  const { mailsPerAddressInTenMinutes, requestsPerSourceAndMinute } = settings().signIn;
  const [refused] = await takeAll(
    [
      {
        name: `sign-in mails to ${normalizedEmail(email)}`,
        count: 1,
        window: { limit: mailsPerAddressInTenMinutes, windowMs: 10 * minute },
      },
      {
        name: `sign-in requests of ${sourceIp}`,
        count: 1,
        window: { limit: requestsPerSourceAndMinute, windowMs: minute },
      },
    ],
    now,
  );
  if (refused !== undefined)
    throw new TooManyRequestsError(
      refused.position === 0 ? 'Too many requests for this address.' : 'Too many requests from this source.',
      refused.retryAfterMs / second,
      { help: 'Use the link in a mail that has arrived, or retry after the seconds in Retry-After.' },
    );
};
