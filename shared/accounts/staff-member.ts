/** Staff members: what is stored of them, what clients see, and the events about them. */
import type { Target } from '../audit/resource.ts';
import type { AcceptedEvent } from '../events/event.ts';
import { timestamp } from '../foundation/clock.ts';
import type { ApiKeyId, StaffId } from '../foundation/ids.ts';
import { newId } from '../foundation/new-id.ts';
import { present } from '../foundation/resource.ts';
import { slugOf } from '../foundation/text.ts';
import { type Role, type UserResource, userResource } from './resource.ts';

export interface StaffMember {
  readonly id: StaffId;
  readonly name: string;
  readonly email: string;
  /** The name of the role. */
  readonly role: string;
  readonly created_at: string;
  /** Set by the first change. */
  readonly updated_at?: string;
  readonly slug?: string;
  /** Set while the address has never received mail: the member joined by a link that was passed on. */
  readonly unverified?: true;
  /** The ids of the member's API keys. */
  readonly key_ids?: readonly ApiKeyId[];
}

/** Returns the slug of a member, which stays when the name changes. */
export const slugOfMember = ({ slug, name }: StaffMember): string => slug ?? slugOf(name, 'user');

/** Presents a member, with the last use if known; with `roles` (all roles of the stage), also with the member's role. */
export const presentUser = (
  member: StaffMember,
  lastSeen: string | undefined,
  roles: readonly Role[] | undefined,
): UserResource =>
  present(userResource, {
    ...member,
    slug: slugOfMember(member),
    status: 'active',
    email_verified: member.unverified !== true,
    last_seen: lastSeen ?? null,
    updated_at: member.updated_at ?? member.created_at,
    roles: roles?.filter(({ name }) => name === member.role),
  });

/** Returns a member as a target of the audit log. */
export const asTarget = ({ id, name }: Pick<StaffMember, 'id' | 'name'>): Target => ({ type: 'staff', id, name });

/** Returns the fields of a member whose changes the audit log records. */
export const shownToAudit = ({ name, email, role }: StaffMember) => ({ name, email, role });

const shown = ({ id, name, email, role, created_at }: StaffMember) => ({ id, name, email, role, created_at });

const staffEvent = (
  event: string,
  id: string,
  at: string,
  parts: { readonly current: object; readonly previous: object },
): AcceptedEvent => ({
  kind: 'event',
  id,
  publisher: 'masthead',
  event,
  accepted_at: at,
  payload: { staff: parts },
});

/** Returns the event `staff.added` of a member. It has the member's id and time, so that publishing it again creates the same deliveries. */
export const staffAdded = (member: StaffMember): AcceptedEvent =>
  staffEvent('staff.added', `staff-added-${member.id}`, member.created_at, { current: shown(member), previous: {} });

/** Returns the event `staff.removed` of a member; `now` in epoch ms. */
export const staffRemoved = (member: StaffMember, now: number): AcceptedEvent =>
  staffEvent('staff.removed', `staff-removed-${member.id}`, timestamp(now), { current: {}, previous: shown(member) });

/** Returns the event `staff.role.changed` between two states of a member; `now` in epoch ms. */
export const staffRoleChanged = (before: StaffMember, after: StaffMember, now: number): AcceptedEvent =>
  staffEvent('staff.role.changed', `staff-role-changed-${newId()}`, timestamp(now), {
    current: shown(after),
    previous: { role: before.role },
  });
