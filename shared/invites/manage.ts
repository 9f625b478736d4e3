/** What staff do with invites once they are made: look at them, send them again, revoke them. */

import { type Address, normalizedEmail } from '../accounts/address.ts';
import { assignableRoles, type CustomRoles } from '../accounts/role.ts';
import type { Caller } from '../foundation/caller.ts';
import { type Clock, day, timestamp } from '../foundation/clock.ts';
import { NoPermissionError, NotFoundError, ValidationError } from '../foundation/errors.ts';
import type { InviteId } from '../foundation/ids.ts';
import type { Settings } from '../foundation/settings.ts';
import { untilWritten } from '../table/optimistic.ts';
import { mailDueMs } from './create.ts';
import { asOf, type Invite, type InviteState } from './invite.ts';
import { countInvites, type TakeAll } from './limits.ts';

interface ReadPorts {
  readonly readInvite: (id: InviteId) => Promise<Invite | undefined>;
  readonly readAddresses: (emails: readonly string[]) => Promise<readonly Address[]>;
  readonly clock: Clock;
}

const dead: readonly InviteState[] = ['revoked', 'replaced'];

/** An invite as it is now. @throws NotFoundError for those that are unknown, revoked or replaced */
export const findInvite = async (ports: ReadPorts, id: InviteId): Promise<Invite> => {
  const stored = await ports.readInvite(id);
  const invite = stored && asOf(stored, (await ports.readAddresses([stored.email]))[0], ports.clock());
  if (invite === undefined || dead.includes(invite.status))
    throw new NotFoundError('There is no invite with this id.', {
      help: 'It may have been revoked, or replaced by a newer one to the same address; GET /admin/invites/ lists those that stand.',
    });
  return invite;
};

interface ListPorts extends Omit<ReadPorts, 'readInvite'> {
  readonly pageOfInvites: (
    limit: number,
    after: InviteId | undefined,
  ) => Promise<{ readonly invites: readonly Invite[]; readonly next: InviteId | undefined }>;
}

/** So many rows are read at a time, and so many times for one request: a page may come short then, and its `next` goes on. */
const rowsAtATime = 200;
const mostReads = 25;

/**
 * Lists invites as they are now, newest first, from behind `after`: those of one status, or, without, those that are not dead.
 * `next` is where the next page begins; null where there is none.
 */
export const listInvites = async (
  ports: ListPorts,
  { status, limit, after }: { status: InviteState | undefined; limit: number; after: InviteId | undefined },
): Promise<{ invites: Invite[]; next: InviteId | null }> => {
  const now = ports.clock();
  const wanted = (invite: Invite): boolean =>
    status === undefined ? !dead.includes(invite.status) : invite.status === status;
  const found: Invite[] = [];
  let place = after;
  for (let reads = 0; reads < mostReads; reads++) {
    const page = await ports.pageOfInvites(rowsAtATime, place);
    const addresses = new Map(
      (await ports.readAddresses(page.invites.map(({ email }) => email))).map((address) => [address.email, address]),
    );
    found.push(
      ...page.invites.map((invite) => asOf(invite, addresses.get(normalizedEmail(invite.email)), now)).filter(wanted),
    );
    // One more than was asked for shows that there is a next page.
    if (found.length > limit) return { invites: found.slice(0, limit), next: found[limit - 1]?.id ?? null };
    if (page.next === undefined) return { invites: found, next: null };
    place = page.next;
  }
  return { invites: found, next: place ?? null };
};

interface ChangePorts extends ReadPorts {
  readonly customRoles: CustomRoles;
}

/** Changes may meet the mailer or another member of the staff; each try sees what they have done. */
const changeInvite = (
  ports: ChangePorts,
  id: InviteId,
  caller: Caller,
  change: (invite: Invite) => Promise<Invite | undefined>,
): Promise<Invite> =>
  untilWritten(`the invite ${id}`, async () => {
    const invite = await findInvite(ports, id);
    checkMayChange(invite, caller, ports.customRoles);
    return change(invite);
  });

/** Whoever may give the role may also send again and revoke. */
const checkMayChange = (invite: Invite, caller: Caller, customRoles: CustomRoles): void => {
  const assignable = assignableRoles(caller, customRoles);
  if (!assignable.includes(invite.role))
    throw new NoPermissionError(`You may not manage invitations for the role ${invite.role}.`, {
      help: assignable.length > 0 ? `You may manage those for: ${assignable.join(', ')}.` : 'Ask an Administrator.',
    });
  if (invite.status === 'accepted')
    throw new ValidationError(`${invite.email} has accepted this invite and belongs to the staff.`, {
      code: 'USER_ALREADY_REGISTERED',
      property: 'email',
      help: 'There is nothing left to send or to revoke.',
    });
};

interface ResendPorts extends ChangePorts {
  readonly takeAll: TakeAll;
  readonly beginMailing: (invite: Invite, expires: number, at: string, due: number) => Promise<boolean>;
  readonly settings: Settings['invites'];
}

/**
 * Sends an invite again, with a new link and a new expiry; the old links are dead from this moment. Gives it as it then is.
 * @throws NotFoundError, NoPermissionError, ValidationError, TooManyRequestsError
 */
export const resendInvite = async (ports: ResendPorts, id: InviteId, caller: Caller): Promise<Invite> => {
  const { email } = await changeInvite(ports, id, caller, async (invite) => invite);
  await countInvites(ports.takeAll, [email], caller, ports.clock(), ports.settings);
  return changeInvite(ports, id, caller, async (invite) => {
    const now = ports.clock();
    const expires = now + ports.settings.expireAfterDays * day;
    return (await ports.beginMailing(invite, expires, timestamp(now), now + mailDueMs))
      ? { ...invite, status: 'pending', expires, updated_at: timestamp(now) }
      : undefined;
  });
};

interface RevokePorts extends ChangePorts {
  readonly markRevoked: (invite: Invite, at: string) => Promise<boolean>;
}

/** Revokes an invite: its links are dead from this moment. @throws NotFoundError, NoPermissionError, ValidationError */
export const revokeInvite = async (ports: RevokePorts, id: InviteId, caller: Caller): Promise<void> => {
  await changeInvite(ports, id, caller, async (invite) =>
    (await ports.markRevoked(invite, timestamp(ports.clock()))) ? invite : undefined,
  );
};
