/** Creates invites, all or nothing: the caller must be able to assign the roles, and no address may be a member's. */
import { type Address, readAddresses } from '../accounts/address.ts';
import { ownerId, ownerOf } from '../accounts/removed-owners.ts';
import type { Role } from '../accounts/resource.ts';
import { assignableRoles, isAdministrator, rankOfAssigner } from '../accounts/role.ts';
import { listRoles } from '../accounts/role-store.ts';
import type { Caller } from '../foundation/caller.ts';
import { minute, systemClock, timestamp } from '../foundation/clock.ts';
import { normalizedEmail } from '../foundation/email.ts';
import { settings } from '../foundation/environment.ts';
import {
  type Failure,
  type MastheadError,
  NoPermissionError,
  NotFoundError,
  ValidationError,
} from '../foundation/errors.ts';
import type { InviteId } from '../foundation/ids.ts';
import { newId } from '../foundation/new-id.ts';
import { untilWritten } from '../table/optimistic.ts';
import { checkNotStopped } from './bounces.ts';
import { withInviters } from './current.ts';
import { canBeAccepted, type Invite, newInviteOf } from './invite.ts';
import { countInvites, countMails } from './limits.ts';
import { mailDueAt, mailTimes } from './request-mails.ts';
import type { NewInvite } from './schema.ts';
import { markReplaced, putInvites, readInvites } from './store.ts';
import { newToken } from './token.ts';

interface Problem {
  readonly error: MastheadError;
  readonly failure: Failure;
}

/** A repeated request within this time mails nothing: the first mail is on its way, and its link stays alive. */
const sameRequestMs = 2 * minute;

export interface CreatedInvite {
  readonly invite: Invite;
  /** Whether the caller had just created it: it is neither written nor mailed again. */
  readonly isRepeated?: true;
  /** When its mail may enter the queue, in epoch ms. */
  readonly mailAt?: number;
  /** For an invite without a mail. This is the only copy, because the table stores its hash. */
  readonly token?: string;
}

/**
 * Creates an invite for each item (docs/compatibility.md, "Invites"). Roles are checked before addresses: who cannot
 * assign a role learns nothing about addresses.
 * @param note is called with the ids of the invites before they are written
 * @throws the error of the first invalid item, with all failures in `details`; TooManyRequestsError
 */
export const createInvites = async (
  items: readonly NewInvite[],
  caller: Caller,
  note?: (ids: readonly InviteId[]) => Promise<void>,
): Promise<CreatedInvite[]> => {
  const { roles: customRoles } = settings();
  checkDuplicates(items);
  const now = systemClock();
  const [allRoles] = await Promise.all([listRoles(), countInvites(items.length, caller, now), checkNotStopped(caller)]);
  const roles = new Map(allRoles.map((role) => [role.id, role]));
  const assignable = assignableRoles(caller, customRoles);
  refuse(
    items.flatMap((item, index) => [
      ...(item.send_email || isAdministrator(caller) ? [] : [linkProblem(index)]),
      ...roleProblem(item, index, roles.get(item.role_id), assignable),
    ]),
  );
  let found = await checkAddresses(items, caller, assignable, now);
  const mails = items.map(({ email }, index) => ({ index, email }));
  await countMails(
    mails.filter(({ email }) => !found.repeated.has(normalizedEmail(email))),
    caller,
    now,
  );

  const at = timestamp(now);
  const by = {
    invited_by: ownerOf(caller),
    inviter: caller.kind === 'staff' ? { name: caller.name, email: caller.email } : null,
  };
  const times = await mailTimes(items.filter(({ send_email }) => send_email).length, now);
  let mailed = 0;
  const created = items.map(({ send_email, ...fields }): CreatedInvite => {
    const id = newId<InviteId>();
    const role = roles.get(fields.role_id)?.name ?? '';
    const invite = newInviteOf({ id, ...fields, role, ...by }, now, settings());
    if (send_email) return { invite, mailAt: times[mailed++] ?? now };
    const { hash, token } = newToken(id);
    return { invite: { ...invite, token_hashes: [hash], without_mail: true }, token };
  });
  const answer = await untilWritten('invites', async () => {
    const { addresses, repeated } = found;
    const all = created.map((one): CreatedInvite => {
      const invite = repeated.get(normalizedEmail(one.invite.email));
      return invite === undefined ? one : { invite, isRepeated: true };
    });
    const fresh = all.filter(({ isRepeated }) => !isRepeated);
    await note?.(all.map(({ invite }) => invite.id));
    const written = fresh.map(({ invite, mailAt }) => ({
      invite,
      due: mailAt === undefined ? undefined : mailDueAt(mailAt, now),
    }));
    if (written.length === 0 || (await putInvites(written, addresses))) return all;
    // Another request invited one of the addresses or accepted an invite, so check again.
    found = await checkAddresses(items, caller, assignable, now);
    return undefined;
  });
  // The old invites are void already, as each address points to its new one. This records the time in the old ones.
  await Promise.allSettled(
    found.addresses.flatMap(({ email, holder, invite_id }) =>
      holder === 'invite' && !found.repeated.has(email) ? [markReplaced(invite_id, at)] : [],
    ),
  );
  return answer;
};

interface Found {
  readonly addresses: readonly Address[];
  /** The invites that the caller has just created with the same role, by address. */
  readonly repeated: ReadonlyMap<string, Invite>;
}

/** Reads and checks the addresses. @throws for a member's, or one whose open invite the caller cannot replace */
const checkAddresses = async (
  items: readonly NewInvite[],
  caller: Caller,
  assignable: readonly string[],
  now: number,
): Promise<Found> => {
  const emails = items.map(({ email }) => email);
  const addresses = await readAddresses(emails);
  const ids = addresses.flatMap(({ holder, invite_id }) => (holder === 'invite' ? invite_id : []));
  const invites = await withInviters(await readInvites(ids), now);
  const byEmail = new Map(addresses.map((address) => [address.email, address]));
  const open = new Map(
    invites
      .filter(({ invite }) => canBeAccepted(invite, now))
      .map((current) => [normalizedEmail(current.invite.email), current]),
  );
  refuse(
    items.flatMap(({ email, send_email }, index) => {
      if (byEmail.get(normalizedEmail(email))?.holder === 'staff') return [registeredProblem(email, index)];
      const current = open.get(normalizedEmail(email));
      if (current === undefined) return [];
      if (!assignable.includes(current.invite.role)) return [higherProblem(email, index)];
      const isBySuperior = current.inviter !== undefined && rankOfAssigner(current.inviter) > rankOfAssigner(caller);
      return !send_email && isBySuperior ? [superiorProblem(email, index)] : [];
    }),
  );
  return {
    addresses,
    repeated: new Map(
      items.flatMap((item) => {
        const invite = open.get(normalizedEmail(item.email))?.invite;
        return invite !== undefined && isSameRequest(item, invite, caller, now)
          ? [[normalizedEmail(item.email), invite]]
          : [];
      }),
    ),
  };
};

/** Whether an open invite is what the item asks for: same caller and role, just now, and its mail has not bounced. */
const isSameRequest = (item: NewInvite, invite: Invite, caller: Caller, now: number): boolean =>
  item.send_email &&
  !invite.without_mail &&
  invite.role_id === item.role_id &&
  ownerId(invite.invited_by) === ownerId(ownerOf(caller)) &&
  (invite.status === 'pending' || invite.status === 'sent') &&
  now - Date.parse(invite.created_at) < sameRequestMs;

/** Two invites to one address in one request would replace each other. */
const checkDuplicates = (items: readonly NewInvite[]): void => {
  const seen = new Map<string, number>();
  const details = items.flatMap(({ email }, index): Failure[] => {
    const first = seen.get(normalizedEmail(email));
    if (first === undefined) seen.set(normalizedEmail(email), index);
    return first === undefined
      ? []
      : [{ index, field: 'email', rule: 'unique', limit: null, received: `the address of item ${first}` }];
  });
  if (details.length > 0)
    throw new ValidationError('The request contains the same address more than once.', {
      property: 'email',
      help: 'Remove the items listed in `details` and retry.',
      details,
    });
};

const roleProblem = (
  { role_id }: NewInvite,
  index: number,
  role: Role | undefined,
  assignable: readonly string[],
): readonly Problem[] => {
  if (role === undefined)
    return [
      {
        failure: { index, field: 'role_id', rule: 'exists', limit: null, received: 'an unknown id' },
        error: new NotFoundError(`No role has the id \`${role_id.slice(0, 50)}\`.`, {
          property: 'role_id',
          help: 'GET /admin/roles/ lists the roles.',
        }),
      },
    ];
  if (assignable.includes(role.name)) return [];
  return [
    {
      failure: { index, field: 'role_id', rule: 'assignable', limit: null, received: 'a role that you cannot assign' },
      error: new NoPermissionError(`You cannot assign the role ${role.name}.`, {
        help: 'GET /admin/roles/?permissions=assign lists the roles that you can assign.',
      }),
    },
  ];
};

const registeredProblem = (email: string, index: number): Problem => ({
  failure: { index, field: 'email', rule: 'unregistered', limit: null, received: 'the address of a staff member' },
  error: new ValidationError(`${email} already belongs to a staff member.`, {
    code: 'USER_ALREADY_REGISTERED',
    property: 'email',
    help: 'Remove this address, or use another one.',
  }),
});

/** The message does not name the role, because the caller may be an integration, which cannot read invites. */
const higherProblem = (email: string, index: number): Problem => ({
  failure: { index, field: 'email', rule: 'replaceable', limit: null, received: 'an address with an open invite' },
  error: new NoPermissionError(`${email} has an open invite for a role that you cannot assign.`, {
    property: 'email',
    help: 'A colleague who can assign that role can revoke or replace the invite.',
  }),
});

/** Only administrators create links without mail: these prove no mailbox, and anyone who gets one can join. */
const linkProblem = (index: number): Problem => ({
  failure: { index, field: 'send_email', rule: 'administrator', limit: null, received: 'a boolean' },
  error: new NoPermissionError('Only the Owner and Administrators can create a link without mail.', {
    property: 'send_email',
    help: 'Omit `send_email`: the invited person receives the link by mail.',
  }),
});

const superiorProblem = (email: string, index: number): Problem => ({
  failure: { index, field: 'email', rule: 'replaceable', limit: null, received: 'an address with an open invite' },
  error: new NoPermissionError(`${email} has an open invite from a member with a higher role than yours.`, {
    property: 'email',
    help: 'Omit `send_email`: a new invite by mail replaces it. Or ask who sent it to revoke it.',
  }),
});

/** Throws the error of the first invalid item with all failures in `details` (docs/compatibility.md, "Errors"). */
const refuse = (problems: readonly Problem[]): void => {
  const inOrder = [...problems].sort((a, b) => (a.failure.index ?? 0) - (b.failure.index ?? 0));
  const [first] = inOrder;
  if (first === undefined) return;
  throw first.error.withDetails(inOrder.map(({ failure }) => failure));
};
