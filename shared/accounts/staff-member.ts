/** Staff members, and the event that announces a new one. */
import type { AcceptedEvent } from '../events/event.ts';
import type { StaffId } from '../foundation/ids.ts';

export interface StaffMember {
  readonly id: StaffId;
  readonly name: string;
  readonly email: string;
  /** The name of the role. */
  readonly role: string;
  readonly created_at: string;
}

/** Returns the event `staff.added` of a member: its id and time are the member's, so that fan-out drops repetitions. */
export const staffAdded = ({ id, name, email, role, created_at }: StaffMember): AcceptedEvent => ({
  kind: 'event',
  id: `staff-added-${id}`,
  publisher: 'masthead',
  event: 'staff.added',
  accepted_at: created_at,
  payload: { staff: { current: { id, name, email, role, created_at }, previous: {} } },
});
