/** The events about staff members, as messages that are stored with the change. */
import type { OutboxMessage } from '../due/outbox.ts';
import { ownEvent } from '../events/own-event.ts';
import { timestamp } from '../foundation/clock.ts';
import { newId } from '../foundation/new-id.ts';
import type { StaffMember } from './staff-member.ts';

const shown = ({ id, name, email, role, created_at }: StaffMember) => ({ id, name, email, role, created_at });

/** Returns the event `staff.added`. Its id and time are the member's: published again, it makes the same deliveries. */
export const staffAdded = (member: StaffMember): OutboxMessage =>
  ownEvent('staff.added', `staff-added-${member.id}`, member.created_at, {
    staff: { current: shown(member), previous: {} },
  });

/** Returns the event `staff.removed` of a member; `now` in epoch ms. */
export const staffRemoved = (member: StaffMember, now: number): OutboxMessage =>
  ownEvent('staff.removed', `staff-removed-${member.id}`, timestamp(now), {
    staff: { current: {}, previous: shown(member) },
  });

/** Returns the event `staff.role.changed` between two states of a member; `now` in epoch ms. */
export const staffRoleChanged = (before: StaffMember, after: StaffMember, now: number): OutboxMessage =>
  ownEvent('staff.role.changed', `staff-role-changed-${newId()}`, timestamp(now), {
    staff: { current: shown(after), previous: { role: before.role } },
  });
