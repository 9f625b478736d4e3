/** Requests a sign-in mail. Response and work are the same for addresses of staff and others. */
import { readAddress } from '../accounts/address.ts';
import { send } from '../aws/queues.ts';
import { day, hour, minute, second } from '../foundation/clock.ts';
import { normalizedEmail } from '../foundation/email.ts';
import { settings } from '../foundation/environment.ts';
import { TooManyRequestsError } from '../foundation/errors.ts';
import type { StaffId } from '../foundation/ids.ts';
import { newId } from '../foundation/new-id.ts';
import { type Refused, type Take, takeAll } from '../limits/store.ts';
import { isRemembered } from './browser.ts';
import type { SignInMessage } from './schema.ts';

interface Origin {
  readonly sourceIp: string;
  /** The cookie by which the browser is recognised. */
  readonly browser: string | undefined;
}

/** Counts the request and asks for a mail. @throws TooManyRequestsError, ServiceUnavailableError */
export const requestSignIn = async (email: string, { sourceIp, browser }: Origin, now: number): Promise<void> => {
  const address = await readAddress(email);
  // For an unknown address the mailer looks up a member that does not exist, and sends nothing.
  const staff_id = address?.holder === 'staff' ? address.staff_id : newId<StaffId>();
  const known = browser !== undefined && (await isRemembered(browser, staff_id, now)) ? browser : undefined;
  await (known === undefined ? countStranger(email, sourceIp, now) : countBrowser(known, staff_id, now));
  const invited = address?.holder === 'invite' ? { invite_id: address.invite_id } : {};
  const body: SignInMessage = { sign_in: { staff_id, ...invited, requested_at: now, waits: 0 } };
  await send('mail', [{ body }]);
};

/**
 * Unknown addresses count as well, so that a refusal reveals nothing. When strangers have used up an address's day, one
 * mail an hour is left: its link works for the member, whoever has requested it.
 * @throws TooManyRequestsError
 */
const countStranger = async (email: string, sourceIp: string, now: number): Promise<void> => {
  const { requestsPerSourceAndMinute, mailsPerAddressAndDay } = settings().signIn;
  const address = normalizedEmail(email);
  const ofSource: Take[] = [
    {
      name: `sign-in requests of ${sourceIp}`,
      count: 1,
      window: { limit: requestsPerSourceAndMinute, windowMs: minute },
    },
    {
      name: `sign-in mails to ${address} for ${sourceIp}`,
      count: 1,
      window: { limit: Math.ceil(mailsPerAddressAndDay / 2), windowMs: day },
    },
  ];
  const [soon, today] = mailsTo(`sign-in mails to ${address}`);
  const refused = await takeAll([...ofSource, soon, today], now);
  if (refused.length === 0) return;
  if (refused.some(({ position }) => position !== ofSource.length + 1)) throw tooMany(refused);
  const reserve = { name: `reserved sign-in mails to ${address}`, count: 1, window: { limit: 1, windowMs: hour } };
  await count([...ofSource, soon, reserve], now);
};

/** @throws TooManyRequestsError */
const countBrowser = (browser: string, member: StaffId, now: number): Promise<void> =>
  count(mailsTo(`sign-in mails to ${member} for the browser ${browser}`), now);

const mailsTo = (name: string): [soon: Take, today: Take] => {
  const { mailsPerAddressInTenMinutes, mailsPerAddressAndDay } = settings().signIn;
  return [
    { name, count: 1, window: { limit: mailsPerAddressInTenMinutes, windowMs: 10 * minute } },
    { name: `${name} in a day`, count: 1, window: { limit: mailsPerAddressAndDay, windowMs: day } },
  ];
};

const count = async (takes: readonly Take[], now: number): Promise<void> => {
  const refused = await takeAll(takes, now);
  if (refused.length > 0) throw tooMany(refused);
};

const tooMany = (refused: Refused): TooManyRequestsError =>
  new TooManyRequestsError(
    'Too many requests for a sign-in link.',
    Math.max(...refused.map(({ retryAfterMs }) => retryAfterMs)) / second,
    {
      help:
        'Use the link in a mail that has arrived, or a browser that has signed in before, or retry after the seconds ' +
        'in Retry-After.',
    },
  );
