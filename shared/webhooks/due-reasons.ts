/** Why the record of a webhook is due: a message about it may be lost, and then the sweep sends another. Each reason is an attribute of the record. */
import type { WebhookId } from '../foundation/ids.ts';
import { allOf, type Condition, missing } from '../table/condition.ts';
import { tryWrite } from '../table/conditional.ts';
import { update } from '../table/item.ts';
import { webhookKey } from './table-keys.ts';
import type { Webhook } from './webhook.ts';

const reasons = ['notice', 'announcements', 'recovering'] as const;
type Reason = (typeof reasons)[number];

export const dueAttributes: readonly string[] = ['due', 'due_at'];

/** Returns whether a record is due for a reason that these attributes leave in place. */
export const isStillDue = (webhook: Webhook, removed: readonly string[]): boolean =>
  reasons.some((reason) => webhook[reason] !== undefined && !removed.includes(reason));

/** Removes a reason and the attributes in `also`, if `isStill` holds. The record stays due for as long as it has another reason. */
export const forgetReason = async (
  id: WebhookId,
  reason: Reason,
  isStill: Condition,
  also: readonly string[] = [],
): Promise<void> => {
  const others = reasons.filter((one) => one !== reason).map((one) => missing(one));
  const remove = [reason, ...also];
  const alone = { remove: [...remove, ...dueAttributes] };
  const { written } = await tryWrite(update(webhookKey(id), alone, allOf(isStill, ...others)));
  if (!written) await tryWrite(update(webhookKey(id), { remove }, isStill));
};
