/** Staff members: what is stored of them, and what clients see. */
import type { Target } from '../audit/resource.ts';
import type { ApiKeyId, StaffId } from '../foundation/ids.ts';
import { present, type WritableName, writableFields } from '../foundation/resource.ts';
import { slugOf } from '../foundation/text.ts';
import type { LostRoles } from './lost-roles.ts';
import { type Role, type StaffStatus, type UserResource, userResource } from './resource.ts';

type Written = Omit<Pick<UserResource, WritableName<typeof userResource>>, 'status'>;

export interface StaffMember extends Written, LostRoles {
  readonly id: StaffId;
  readonly email: string;
  /** The requested address, by whom and when (ISO). Its link makes it the member's (`sign-in/change-address.ts`). */
  readonly next_email?: string;
  readonly next_email_by?: StaffId;
  readonly next_email_at?: string;
  readonly role: string;
  readonly created_at: string;
  /** Set by the first change. */
  readonly updated_at?: string;
  readonly slug?: string;
  /** Set while the address has never received mail: the member joined by a link that was passed on. */
  readonly unverified?: true;
  /** Default: active. An inactive member is suspended: no key and no session works, and no mail goes out. */
  readonly status?: StaffStatus;
  /** Sessions and sign-in links that began before this time (ISO) are void. */
  readonly sessions_valid_from?: string;
  readonly key_ids?: readonly ApiKeyId[];
}

export const isSuspended = ({ status }: Pick<StaffMember, 'status'>): boolean => status === 'inactive';

/** Whether what began at an ISO time is void: the member was suspended or got another address since. */
export const isVoidSince = ({ sessions_valid_from = '' }: StaffMember, began: string): boolean =>
  began <= sessions_valid_from;

/** Returns the slug of a member, which stays when the name changes. */
export const slugOfMember = ({ slug, name }: StaffMember): string => slug ?? slugOf(name, 'user');

/** Returns a member as filters compare it. */
export const comparedOf = (member: StaffMember) => ({
  ...member,
  slug: slugOfMember(member),
  status: member.status ?? 'active',
});

/** Presents a member, with the last use if known; with `roles` (all of the stage), also with the member's role. */
export const presentUser = (
  member: StaffMember,
  lastSeen: string | undefined,
  roles: readonly Role[] | undefined,
): UserResource =>
  present(userResource, {
    ...member,
    slug: slugOfMember(member),
    status: member.status ?? 'active',
    email_verified: member.unverified !== true,
    last_seen: lastSeen ?? null,
    updated_at: member.updated_at ?? member.created_at,
    roles: roles?.filter(({ name }) => name === member.role),
  });

/** Returns a member as a target of the audit log. */
export const asTarget = ({ id, name }: Pick<StaffMember, 'id' | 'name'>): Target => ({ type: 'staff', id, name });

/** Returns the fields of a member whose changes the audit log records. */
export const shownToAudit = ({ status = 'active', ...member }: StaffMember) => ({
  ...writableFields(userResource, { ...member, status }),
  email: member.email,
  role: member.role,
});
