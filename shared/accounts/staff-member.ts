/** Staff members: who they are, which role they have, and the event that announces a new one. */
import type { AcceptedEvent } from '../events/event.ts';
import type { StaffId } from '../foundation/ids.ts';

export interface StaffMember {
  readonly id: StaffId;
  readonly name: string;
  readonly email: string;
  /** Name of the role. */
  readonly role: string;
  readonly created_at: string;
}

/**
 * The event `staff.added` of a member. Whoever publishes it, and however often, it is the same event: its id and its time are
 * the member's, so that fan-out drops the repetitions.
 */
export const staffAdded = ({ id, name, email, role, created_at }: StaffMember): AcceptedEvent => ({
  kind: 'event',
  id: `staff-added-${id}`,
  publisher: 'masthead',
  event: 'staff.added',
  accepted_at: created_at,
  payload: { staff: { current: { id, name, email, role, created_at }, previous: {} } },
});
