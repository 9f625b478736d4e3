/**
 * Marks webhooks whose waiting deliveries have to be released. `backlog` is set when the circuit breaker opens. The next success also sets
 * `recovering`, and makes the record due, so that the sweep sends the message of the release if it is lost. When the release has ended, both are
 * removed. If the breaker opens again, the webhook is disabled or its target changes, only `recovering` is removed: the next success begins again.
 */
import { dueAt } from '../due/due-index.ts';
import { minute, timestamp } from '../foundation/clock.ts';
import { type Change, is } from '../table/condition.ts';
import { tryWrite } from '../table/conditional.ts';
import { update } from '../table/item.ts';
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
  /** Whether a delivery of the batch succeeded. */
  readonly hasSucceeded: boolean;
}

/** The changes of the marks; `releaseAt` is when a release begins, in epoch ms. */
export interface Marking extends Pick<Change, 'set' | 'remove'> {
  readonly releaseAt?: number;
}

/** Returns the changes of the marks after the findings of a batch; undefined for none. `now` in epoch ms. */
export const markingOf = (
  before: Webhook,
  { health, status, hasSucceeded }: After,
  now: number,
): Marking | undefined => {
  const { backlog, recovering } = before;
  const openings = health?.openings ?? 0;
  const hasOpened = openings > (before.health?.openings ?? 0);
  if (hasOpened || status === 'disabled') {
    const isNew = hasOpened && backlog === undefined;
    if (!isNew && recovering === undefined) return undefined;
    return {
      ...(isNew && { set: { backlog: true } }),
      ...(recovering !== undefined && { remove: ['recovering'] }),
    };
  }
  const begins = hasSucceeded && openings === 0 && backlog === true && recovering === undefined;
  return begins ? { set: { recovering: timestamp(now) }, releaseAt: now } : undefined;
};

type Marked = Pick<Webhook, 'id' | 'recovering' | 'due_at'>;

/** Keeps the sweep from restarting a release before its next run at `next` (epoch ms). */
export const postponeRelease = async ({ id, recovering = '', due_at = '' }: Marked, next: number): Promise<void> => {
  if (Date.parse(due_at) >= next + leftMs) return;
  await tryWrite(update(webhookKey(id), { set: dueAt(webhookKey(id), next + graceMs) }, is('recovering', recovering)));
};

/** Records that a release has ended, unless it was broken off meanwhile. */
export const endRelease = async ({ id, recovering = '' }: Marked): Promise<void> => {
  const remove = ['recovering', 'backlog', 'due', 'due_at'];
  await tryWrite(update(webhookKey(id), { remove }, is('recovering', recovering)));
};
