/** Reads and writes staff members: all in one partition of the table, because they are few. */
import { timestamp } from '../foundation/clock.ts';
import type { ApiKeyId, StaffId } from '../foundation/ids.ts';
import { writableFields } from '../foundation/resource.ts';
import { allOf, type Condition, exists, is, isStill, missing, type Value } from '../table/condition.ts';
import { get } from '../table/item.ts';
import { tryOnce, updateOnceWith } from '../table/once.ts';
import { queryAll } from '../table/query.ts';
import type { Key } from '../table/table-key.ts';
import { transact, type Write } from '../table/transaction.ts';
import { assignToStaff, releaseFromStaff } from './address.ts';
import type { ApiKey } from './api-key.ts';
import { deleteApiKey, putApiKey, readApiKey } from './api-key-store.ts';
import type { LostRoles } from './lost-roles.ts';
import { userResource } from './resource.ts';
import type { StaffMember } from './staff-member.ts';

export const staffKey = (id: StaffId): Key => ({ pk: 'STAFF', sk: `STAFF#${id}` });

export const readStaffMember = (id: StaffId): Promise<StaffMember | undefined> => get<StaffMember>(staffKey(id));

export const listStaffMembers = (): Promise<StaffMember[]> => queryAll<StaffMember>('STAFF');

/** Returns the write that creates a member; the same transaction assigns the address. */
export const putStaffMember = (member: StaffMember): Write => ({
  kind: 'put',
  item: { ...staffKey(member.id), ...member },
  condition: missing(),
});

/** Returns the write that adds a key to a member. */
export const addStaffKey = (id: StaffId, keyId: ApiKeyId): Write => ({
  kind: 'update',
  key: staffKey(id),
  change: { append: { key_ids: [keyId] } },
  condition: exists(),
});

/** Returns the write that records that a mail has reached the address of a member. */
export const verifyAddress = (id: StaffId): Write => ({
  kind: 'update',
  key: staffKey(id),
  change: { remove: ['unverified'] },
  condition: exists(),
});

const unchanged = ({ email, next_email_at, role, status, key_ids }: StaffMember): Condition =>
  allOf(
    exists(),
    is('email', email),
    isStill('next_email_at', next_email_at),
    is('role', role),
    isStill('status', status),
    key_ids === undefined ? missing('key_ids') : is('key_ids', key_ids),
  );

/** Replaces name, role and status with the writes in `more`, noting `lost` roles; false if the member has changed. */
export const replaceStaffMember = async (
  before: StaffMember,
  after: StaffMember,
  lost: LostRoles,
  more: readonly Write[],
): Promise<boolean> => {
  const { role, slug, status = 'active', sessions_valid_from, updated_at = before.created_at } = after;
  const since = sessions_valid_from === undefined ? {} : { sessions_valid_from };
  const fields = writableFields(userResource, { ...after, status });
  const change = { set: { ...lost, ...since, ...fields, role, slug, updated_at } };
  // Otherwise a change of the role would undo a change of the name.
  const read: Readonly<Record<string, unknown>> = { ...before };
  const condition = allOf(unchanged(before), ...Object.keys(fields).map((name) => isStill(name, read[name] as Value)));
  return (await updateOnceWith(staffKey(before.id), change, condition, more)).written;
};

const nextAddress = ['next_email', 'next_email_by', 'next_email_at'];

/** Notes the requested address, if any, with the writes in `more`; false if the member has changed. */
export const noteNextAddress = async (
  member: StaffMember,
  next: { readonly email: string; readonly by: StaffId; readonly at: string } | undefined,
  more: readonly Write[],
): Promise<boolean> => {
  const change =
    next === undefined
      ? { remove: nextAddress }
      : { set: { next_email: next.email, next_email_by: next.by, next_email_at: next.at } };
  return (await updateOnceWith(staffKey(member.id), change, unchanged(member), more)).written;
};

/** Returns the writes that give a member another address, if it is free, and void sessions and links from before. */
export const moveAddress = (member: StaffMember, email: string, isVerified: boolean, now: number): Write[] => {
  const since = { updated_at: timestamp(now), sessions_valid_from: timestamp(now - 1) };
  const change = isVerified
    ? { set: { email, ...since }, remove: [...nextAddress, 'unverified'] }
    : { set: { email, ...since, unverified: true }, remove: nextAddress };
  return [
    { kind: 'update', key: staffKey(member.id), change, condition: unchanged(member) },
    assignToStaff(email, member.id),
    releaseFromStaff(member.email, member.id),
  ];
};

/** Makes `next` the Owner and `owner` an Administrator, with the writes in `more`; false if one has changed. */
export const swapOwner = async (
  owner: StaffMember,
  next: StaffMember,
  at: string,
  more: readonly Write[],
): Promise<boolean> => {
  const change = { set: { role: 'Owner', updated_at: at } };
  const condition = allOf(unchanged(next), missing('unverified'));
  const { written } = await updateOnceWith(staffKey(next.id), change, condition, [
    {
      kind: 'update',
      key: staffKey(owner.id),
      change: { set: { role: 'Administrator', updated_at: at } },
      condition: unchanged(owner),
    },
    ...more,
  ]);
  return written;
};

/** Removes a member with all keys and frees the address, with the writes in `more`; false if the member has changed. */
export const removeStaffMember = async (member: StaffMember, more: readonly Write[]): Promise<boolean> => {
  const { written } = await tryOnce(
    transact([
      { kind: 'delete', key: staffKey(member.id), condition: unchanged(member) },
      releaseFromStaff(member.email, member.id),
      ...(member.key_ids ?? []).map(deleteApiKey),
      ...more,
    ]),
    async () => (await readStaffMember(member.id)) === undefined,
  );
  return written;
};

/** Makes this the only key of a member, with the writes in `more`; false if the member has changed. */
export const replaceStaffKeys = async (member: StaffMember, key: ApiKey, more: readonly Write[]): Promise<boolean> => {
  const { written } = await tryOnce(
    transact([
      {
        kind: 'update',
        key: staffKey(member.id),
        change: { set: { key_ids: [key.id] } },
        condition: unchanged(member),
      },
      putApiKey(key),
      ...(member.key_ids ?? []).map(deleteApiKey),
      ...more,
    ]),
    async () => (await readApiKey(key.id)) !== undefined,
  );
  return written;
};
