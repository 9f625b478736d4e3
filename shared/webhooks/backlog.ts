/**
 * Marks webhooks that may have waiting deliveries: due from the opening of the circuit breaker until all is sent, so
 * that the sweep repeats a lost probe or release. The first success sets `releasing`; if the breaker opens again or the
 * webhook is disabled, the mark is removed, and the next success begins again.
 */
import { dueAt } from '../due/due-index.ts';
import { minute, timestamp } from '../foundation/clock.ts';
import { allOf, type Change, isStill } from '../table/condition.ts';
import { tryWrite } from '../table/conditional.ts';
import { update } from '../table/item.ts';
import { deletionTimeOf, isDeclined } from './declined.ts';
import type { Health } from './health.ts';
import { webhookKey } from './table-keys.ts';
import type { Webhook } from './webhook.ts';

/** If the next run of a release is later than this, its message was lost. */
const graceMs = 5 * minute;
/** A run moves the due time only if less than this is left, so that few runs write. */
const leftMs = 2 * minute;

/** How a webhook is after the findings of a batch. */
interface After {
  readonly health: Health | undefined;
  readonly status: Webhook['status'];
  readonly hasSucceeded: boolean;
}

/** The changes of the marks; `lookAt` is when something is to be sent, in epoch ms. */
export interface Marking extends Pick<Change, 'set' | 'remove'> {
  readonly lookAt: number;
}

/** Returns the changes of the marks after the findings of a batch; undefined for none. */
export const markingOf = (
  before: Webhook,
  { health, status, hasSucceeded }: After,
  now: number,
): Marking | undefined => {
  const { backlog, due_at, releasing } = before;
  const { openings = 0, open_until = now } = health ?? {};
  const key = webhookKey(before.id);
  const isDisabled = status === 'disabled' && before.status !== 'disabled' && due_at !== undefined;
  if (openings > (before.health?.openings ?? 0) || isDisabled) {
    const lookAt = isDisabled ? now : open_until;
    return { set: { backlog: true, ...dueAt(key, lookAt + minute) }, remove: ['releasing'], lookAt };
  }
  const mayBegin = status === 'available' && hasSucceeded && openings === 0;
  return mayBegin && backlog === true && releasing === undefined
    ? { set: { releasing: timestamp(now), ...dueAt(key, now + graceMs) }, lookAt: now }
    : undefined;
};

type Marked = Pick<Webhook, 'id' | 'releasing' | 'due_at'>;

const unchanged = ({ releasing, due_at }: Marked) => allOf(isStill('releasing', releasing), isStill('due_at', due_at));

/** Keeps the sweep from restarting a release before its next run at `next` (epoch ms). */
export const postponeRelease = async (webhook: Marked, next: number): Promise<void> => {
  if (Date.parse(webhook.due_at ?? '') >= next + leftMs) return;
  const key = webhookKey(webhook.id);
  await tryWrite(update(key, { set: dueAt(key, next + graceMs) }, unchanged(webhook)));
};

/** Records that nothing waits any more, unless the marks have changed. A declined webhook is then due for deletion. */
export const endWaiting = async (webhook: Webhook): Promise<void> => {
  const key = webhookKey(webhook.id);
  const change = isDeclined(webhook)
    ? { set: dueAt(key, deletionTimeOf(webhook)), remove: ['releasing', 'backlog'] }
    : { remove: ['releasing', 'backlog', 'due', 'due_at'] };
  await tryWrite(update(key, change, unchanged(webhook)));
};
