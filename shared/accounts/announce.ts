/** Tells the subscribers of `staff.added` of new colleagues, whom the transaction that made them has marked as due. */
import { log } from '../aws/log.ts';
import { count } from '../aws/metrics.ts';
import { send } from '../aws/queues.ts';
import type { StaffId } from '../foundation/ids.ts';
import { type StaffMember, staffAdded } from './staff-member.ts';
import { markAnnounced, readStaffMembers } from './staff-store.ts';

/** Publishes first and takes the mark away afterwards: stopped in between, it is published again, which fan-out drops. */
const publish = async (members: readonly StaffMember[]): Promise<void> => {
  await send(
    'events',
    members.map((member) => ({ body: staffAdded(member), group: 'masthead' })),
  );
  await Promise.all(members.map(({ id }) => markAnnounced(id)));
  count('EventsAccepted', members.length);
};

/** Announces a member who has just been made; never fails, since the sweep announces whoever is left. */
export const announce = async (member: StaffMember): Promise<void> => {
  try {
    await publish([member]);
  } catch (error) {
    log.warn('a new colleague waits for the sweep to be announced', { staff_id: member.id, error: error as Error });
  }
};

/** Announces those who are due. @throws ServiceUnavailableError where the queue or the table takes nothing */
export const announceDue = async (ids: readonly StaffId[]): Promise<void> => publish(await readStaffMembers(ids));
