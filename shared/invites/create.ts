/** The rules of inviting: known roles that the caller may give, addresses that nobody of the staff has, all or nothing. */

import { type Address, normalizedEmail } from '../accounts/address.ts';
import { assignableRoles, type CustomRoles, type Role } from '../accounts/role.ts';
import type { Caller } from '../foundation/caller.ts';
import { type Clock, day, minute, timestamp } from '../foundation/clock.ts';
import {
  type Failure,
  type MastheadError,
  NoPermissionError,
  NotFoundError,
  ServiceUnavailableError,
  ValidationError,
} from '../foundation/errors.ts';
import type { Ids, InviteId } from '../foundation/ids.ts';
import type { Settings } from '../foundation/settings.ts';
import type { Invite } from './invite.ts';
import { countInvites, type TakeAll } from './limits.ts';
import type { NewInvite } from './schema.ts';

interface Ports {
  readonly listRoles: () => Promise<readonly Role[]>;
  readonly readAddresses: (emails: readonly string[]) => Promise<readonly Address[]>;
  readonly takeAll: TakeAll;
  readonly putInvites: (invites: readonly Invite[], due: number) => Promise<readonly number[]>;
  readonly markReplaced: (id: InviteId, at: string) => Promise<boolean>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly settings: Settings['invites'];
  readonly customRoles: CustomRoles;
}

/** If the mail has not left by then, the sweep sends for it again. */
export const mailDueMs = 2 * minute;

interface Problem {
  readonly error: MastheadError;
  readonly failure: Failure;
}

/**
 * Stores an invite for each item and gives them; inviting an address again replaces its open invite.
 * @throws ValidationError, NotFoundError, NoPermissionError: that of the first bad item, with all of them in `details`;
 * TooManyRequestsError, where nothing else is wrong
 */
export const createInvites = async (ports: Ports, items: readonly NewInvite[], caller: Caller): Promise<Invite[]> => {
  checkTwice(items);
  const roles = new Map((await ports.listRoles()).map((role) => [role.id, role]));
  const assignable = assignableRoles(caller, ports.customRoles);
  const problems = items.flatMap((item, index) => roleProblem(item, index, roles.get(item.role_id), assignable) ?? []);
  const addresses = await ports.readAddresses(items.map(({ email }) => email));
  const taken = new Set(addresses.filter(({ holder }) => holder === 'staff').map(({ email }) => email));
  const isTaken = ({ email }: NewInvite): boolean => taken.has(normalizedEmail(email));
  refuse([...problems, ...items.flatMap((item, index) => (isTaken(item) ? takenProblem(item, index) : []))]);

  const now = ports.clock();
  await countInvites(
    ports.takeAll,
    items.map(({ email }) => email),
    caller,
    now,
    ports.settings,
  );
  const invites = items.map((item): Invite => {
    const at = timestamp(now);
    return {
      id: ports.ids<InviteId>(),
      role_id: item.role_id,
      role: roles.get(item.role_id)?.name ?? '',
      status: 'pending',
      email: item.email,
      expires: now + ports.settings.expireAfterDays * day,
      created_at: at,
      updated_at: at,
      inviter: caller.kind === 'staff' ? { name: caller.name, email: caller.email } : null,
      mailing: 1,
      attempts: 0,
      token_hashes: [],
      old_token_hashes: [],
      history: [{ status: 'pending', at }],
    };
  });
  const lost = await ports.putInvites(invites, now + mailDueMs);
  if (lost.length > 0) {
    refuse(lost.flatMap((index) => (items[index] === undefined ? [] : takenProblem(items[index], index))));
    throw new ServiceUnavailableError(new Error('invites were refused for no reason that we know'));
  }
  // Their addresses point elsewhere now, so that they are void whether this is reached or not: it only notes when.
  await Promise.allSettled(
    addresses.flatMap((address) =>
      address.holder === 'invite' ? [ports.markReplaced(address.invite_id, timestamp(now))] : [],
    ),
  );
  return invites;
};

/** Two invites to one address in one request would replace each other. */
const checkTwice = (items: readonly NewInvite[]): void => {
  const seen = new Map<string, number>();
  const details = items.flatMap(({ email }, index): Failure[] => {
    const first = seen.get(normalizedEmail(email));
    if (first === undefined) seen.set(normalizedEmail(email), index);
    return first === undefined
      ? []
      : [{ index, field: 'email', rule: 'unique', limit: null, received: `the address of item ${first}` }];
  });
  if (details.length > 0)
    throw new ValidationError('The same address stands in this request more than once.', {
      property: 'email',
      help: 'Leave out the items that `details` lists.',
      details,
    });
};

const roleProblem = (
  item: NewInvite,
  index: number,
  role: Role | undefined,
  assignable: readonly string[],
): Problem | undefined => {
  if (role === undefined) {
    const failure = { index, field: 'role_id', rule: 'exists', limit: null, received: 'an id that names no role' };
    return {
      failure,
      error: new NotFoundError(`No role has the id \`${item.role_id.slice(0, 50)}\`.`, {
        property: 'role_id',
        help: 'GET /admin/roles/ lists them.',
      }),
    };
  }
  if (assignable.includes(role.name)) return undefined;
  return {
    failure: { index, field: 'role_id', rule: 'assignable', limit: null, received: 'a role that you may not give' },
    error: new NoPermissionError(`You may not give the role ${role.name}.`, {
      help: 'GET /admin/roles/?permissions=assign lists the roles that you may give.',
    }),
  };
};

const takenProblem = (item: NewInvite, index: number): Problem[] => [
  {
    failure: { index, field: 'email', rule: 'unregistered', limit: null, received: 'the address of a staff member' },
    error: new ValidationError(`${item.email} belongs to a staff member already.`, {
      code: 'USER_ALREADY_REGISTERED',
      property: 'email',
      help: 'Leave this address out, or invite another one.',
    }),
  },
];

/** Throws the error of the first bad item with all of them in `details` (wire contract, "The error envelope"). */
const refuse = (problems: readonly Problem[]): void => {
  const inOrder = [...problems].sort((a, b) => (a.failure.index ?? 0) - (b.failure.index ?? 0));
  const [first] = inOrder;
  if (first === undefined) return;
  throw first.error.withDetails(inOrder.map(({ failure }) => failure));
};
