/** Writes a webhook's health, and does what its receiver asked for in an answer. */

import { dueAt } from '../due/due-index.ts';
import type { WebhookId } from '../foundation/ids.ts';
import { is } from '../table/condition.ts';
import { tryWrite } from '../table/conditional.ts';
import { update } from '../table/item.ts';
import { type Finding, type HealthStep, healthStep } from './health.ts';
import { webhookStore } from './store.ts';
import { webhookKey } from './table-keys.ts';
import type { Notice, Webhook } from './webhook.ts';

/** What a batch of attempts says about one webhook. */
export interface WebhookFinding {
  readonly webhook: Webhook;
  readonly finding: Finding;
}

/**
 * Notes what was found, where there is anything to note, and gives the webhooks whose owners are to be told of it. They are
 * marked as due too, so that the sweep finds them if nobody tells their owners by `noticeDue` (epoch ms). A webhook that is
 * gone or has changed meanwhile is no fault.
 */
export const noteHealth = async (
  findings: readonly WebhookFinding[],
  disableAfterDays: number,
  noticeDue: number,
): Promise<WebhookId[]> => {
  const writes = findings.flatMap(({ webhook, finding }) => {
    if (finding.wish === 'remove') return [removed(webhook)];
    const step = healthStep(webhook, finding, disableAfterDays);
    return step === undefined ? [] : [written(webhook.id, step, noticeDue)];
  });
  return (await Promise.all(writes)).flatMap((toTell) => toTell ?? []);
};

/** Where it has changed meanwhile, the 410 was not said to what it is now. */
const removed = async (webhook: Webhook): Promise<undefined> => {
  await webhookStore.remove(webhook);
};

const written = async (
  id: WebhookId,
  { change, condition, notice }: HealthStep,
  noticeDue: number,
): Promise<WebhookId | undefined> => {
  const key = webhookKey(id);
  const toTell = notice && { notice, ...dueAt(key, noticeDue) };
  const set = { ...change.set, ...toTell };
  // DynamoDB refuses an update that sets and removes the same attribute.
  const remove = change.remove?.filter((attribute) => !Object.hasOwn(set, attribute));
  const { written } = await tryWrite(update(key, { ...change, set, ...(remove && { remove }) }, condition));
  return written ? notice && id : undefined;
};

/** The messages that tell its owners are in the queue: the sweep has nothing to do any more. */
export const forgetNotice = async (id: WebhookId, notice: Notice): Promise<void> => {
  await tryWrite(update(webhookKey(id), { remove: ['notice', 'due', 'due_at'] }, is('notice', notice)));
};
