/** Records an operational event in a webhook's record, in the same write as the change that it reports. */
import { dueAt } from '../due/due-index.ts';
import type { Change } from '../table/condition.ts';
import { webhookKey } from './table-keys.ts';
import type { Announcement, Webhook } from './webhook.ts';

/**
 * The maximum number of announcements, because the record is read with each delivery. Only a webhook that is toggled faster than the sweep publishes
 * reaches it; the oldest are then dropped.
 */
const maxAnnouncements = 20;

/** Returns the part of a change that announces something, and that the sweep finds at `due` (epoch ms). */
export const announced = (
  { id, announcements = [] }: Pick<Webhook, 'id' | 'announcements'>,
  announcement: Announcement,
  due: number,
): Pick<Change, 'set' | 'append'> => {
  const set = dueAt(webhookKey(id), due);
  if (announcements.length < maxAnnouncements) return { set, append: { announcements: [{ ...announcement }] } };
  const newest = [...announcements.slice(1 - maxAnnouncements), announcement];
  return { set: { ...set, announcements: newest.map((one) => ({ ...one })) } };
};
