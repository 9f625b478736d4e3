/** Publishes `staff.added` for new staff members; the transaction that creates a member also marks the event as due. */
import { count } from '../aws/metrics.ts';
import { send, trySending } from '../aws/queues.ts';
import type { StaffId } from '../foundation/ids.ts';
import { type StaffMember, staffAdded } from './staff-member.ts';
import { markAnnounced, readStaffMembers } from './staff-store.ts';

/** Publishes first and removes the mark afterwards: after a crash in between, the repeated event has the same deliveries. */
const publish = async (members: readonly StaffMember[]): Promise<void> => {
  await send(
    'events',
    members.map((member) => ({ body: staffAdded(member), group: 'masthead' })),
  );
  await Promise.all(members.map(({ id }) => markAnnounced(id)));
  count('EventsAccepted', members.length);
};

/** Announces a member who has just been created. Never fails: the sweep announces those who are left. */
export const announce = (member: StaffMember): Promise<void> =>
  trySending(`staff.added of ${member.id}`, publish([member]));

/** Announces the members who are due. @throws ServiceUnavailableError when the queue or the table is not available */
export const announceDue = async (ids: readonly StaffId[]): Promise<void> => publish(await readStaffMembers(ids));
