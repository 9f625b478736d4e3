/** Deletes webhooks that their receivers have declined and that nobody has touched since (`declined.ts`). */
import * as v from 'valibot';
import { dueAt } from '../due/due-index.ts';
import { systemClock } from '../foundation/clock.ts';
import type { WebhookId } from '../foundation/ids.ts';
import { idSchema } from '../foundation/resource.ts';
import { is } from '../table/condition.ts';
import { tryWrite } from '../table/conditional.ts';
import { update } from '../table/item.ts';
import { untilWritten } from '../table/optimistic.ts';
import { auditedDeletion } from './audit.ts';
import { deletionTimeOf, isDeclined } from './declined.ts';
import { readWebhook, removeWebhook } from './store.ts';
import { webhookKey } from './table-keys.ts';

export const untouchedMessage = v.object({ webhook_id: idSchema<WebhookId>() });
export type UntouchedMessage = v.InferOutput<typeof untouchedMessage>;

/** Deletes a declined webhook when its time has come, or makes it due again later. @throws ContentionError */
export const deleteUntouched = ({ webhook_id }: UntouchedMessage): Promise<unknown> =>
  untilWritten(`the deletion of the webhook ${webhook_id}`, async () => {
    const webhook = await readWebhook(webhook_id);
    if (webhook === undefined || !isDeclined(webhook)) return 'kept';
    const at = deletionTimeOf(webhook);
    if (at <= systemClock())
      return (await removeWebhook(webhook, [auditedDeletion(webhook)])) === 'removed' ? 'removed' : undefined;
    const key = webhookKey(webhook_id);
    await tryWrite(update(key, { set: dueAt(key, at) }, is('disabled_for', 'receiver')));
    return 'kept';
  });
