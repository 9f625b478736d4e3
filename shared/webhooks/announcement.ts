/** Notes an operational event in the record of a webhook, in the write of the change that it reports. */
import { dueAt } from '../due/due-index.ts';
import type { WebhookId } from '../foundation/ids.ts';
import type { Change } from '../table/condition.ts';
import { webhookKey } from './table-keys.ts';
import type { Announcement } from './webhook.ts';

/** Returns the part of a change that announces something, and that the sweep finds at `due` (epoch ms). */
export const announced = (id: WebhookId, announcement: Announcement, due: number): Pick<Change, 'set' | 'append'> => ({
  set: dueAt(webhookKey(id), due),
  append: { announcements: [{ ...announcement }] },
});
