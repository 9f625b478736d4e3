/**
 * Sends what waits for an open circuit breaker. The oldest delivery probes; after a success the others follow, in
 * chunks that double each second, until the receiver fails again. If the webhook is disabled, all are sent to be held.
 */
import { minute, second, systemClock, timestamp } from '../../foundation/clock.ts';
import type { DeliveryId } from '../../foundation/ids.ts';
import { semaphore } from '../../foundation/semaphore.ts';
import { settleAll } from '../../foundation/settle.ts';
import { limitKey } from '../../limits/store.ts';
import { remove } from '../../table/item.ts';
import { endWaiting, postponeRelease } from '../../webhooks/backlog.ts';
import { readinessOf } from '../../webhooks/health.ts';
import { loadOptions } from '../../webhooks/options-store.ts';
import { readWebhook } from '../../webhooks/store.ts';
import type { Webhook } from '../../webhooks/webhook.ts';
import { type Delivery, isUnfinished, messageOf, rowOfThrottle, throttleRow } from '../delivery.ts';
import { nextMessageOf, sendToLanes } from '../lanes.ts';
import { inOrder, type LogPage } from '../records/log-page.ts';
import { recordStep } from '../records/store.ts';
import { undeliveredLogs } from '../records/undelivered.ts';
import { endOfAttempts, spreadAfter } from '../schedule.ts';
import { sendWaiting, type WaitingMessage } from './message.ts';

/** The sizes of the first and of the largest chunk. A run can read, write and send the largest one in a few seconds. */
const chunk = { first: 20, max: 4000 } as const;
/** The last pass finds what began to wait while the breaker was closing. No function runs for longer. */
const lastPassMs = minute;
/** Deliveries due this soon are not released: until the record is written, their earlier message stays valid. */
const soonMs = 10 * second;
/** How often a delivery may be sent early: a receiver that works only for moments would get it without end. */
const mostEarly = 10;
const limited = semaphore(32);

/** Processes one message: sends a probe or the next chunk, if the webhook may get it. */
export const releaseWaiting = async (message: WaitingMessage): Promise<void> => {
  const { waiting, releasing, after, size = chunk.first, isLast = false } = message;
  const now = systemClock();
  const webhook = await readWebhook(waiting);
  // All has been released, the release was broken off, or the webhook is gone.
  if (webhook?.due_at === undefined || webhook.releasing !== releasing) return;
  const sendNext = async (next: Omit<WaitingMessage, 'waiting' | 'releasing'>, at: number) => {
    await postponeRelease(webhook, at);
    await sendWaiting({ waiting, releasing, ...next }, at);
  };
  const isDisabled = webhook.status === 'disabled';
  const readiness = readinessOf(webhook.health, now);
  if (readiness.kind === 'wait' && !isDisabled)
    // An open circuit breaker has a message of its own.
    return readiness.until === null ? undefined : sendNext(message, readiness.until);

  const isProbe = releasing === undefined && !isDisabled;
  const { deliveries, next } = await unfinished(webhook, size, after);
  const ahead = releasing === undefined ? [] : deliveries.filter((one) => isAhead(one, releasing, now));
  const mayGo = await permitted(webhook, ahead);
  const released = deliveries.filter((one) => isParked(one) || mayGo.has(one));
  // What is too old for an attempt ends, also meanwhile.
  const probe = isProbe ? released.find((one) => endOfAttempts(one) >= now) : undefined;
  await release(isProbe ? released.filter((one) => one === probe || endOfAttempts(one) < now) : released, now);
  // If the probe comes to nothing, the sweep sends the next one.
  if (probe !== undefined) return;
  if (next !== undefined) await sendNext({ after: next, size: Math.min(chunk.max, 2 * size), isLast }, now + second);
  else if (isLast) await endWaiting(webhook);
  else if (!isProbe) await sendNext({ size, isLast: true }, now + lastPassMs);
};

/** Reads unfinished deliveries, oldest first, after a place. */
const unfinished = async (webhook: Webhook, limit: number, after: DeliveryId | undefined): Promise<LogPage> => {
  const logs = (['pending', 'retrying'] as const).flatMap((status) => undeliveredLogs([webhook], status));
  const options = { since: undefined, until: undefined, newestFirst: false, limit, after };
  const pages = await Promise.all(logs.map((read) => read(options)));
  const [next] = pages.flatMap((page) => page.next ?? []).toSorted();
  const found = inOrder(
    pages.flatMap(({ deliveries }) => deliveries.filter(isUnfinished)),
    false,
  );
  return { deliveries: found.filter(({ id }) => next === undefined || id <= next), next };
};

/** Returns whether a delivery has no message, because it waits for its webhook to work again. */
const isParked = ({ next_attempt_at, waiting_for }: Delivery): boolean =>
  next_attempt_at === null && waiting_for?.reason === 'circuit_breaker';

/**
 * Returns those that need not wait any longer: for their schedule, as the receiver works again, or in a row that their
 * webhook has left. In any other row they would lose their place, and nobody would take it.
 */
const permitted = async (webhook: Webhook, waiting: readonly Delivery[]): Promise<ReadonlySet<Delivery>> => {
  const isScheduled = (one: Delivery): boolean => webhook.backlog === true && one.waiting_for?.reason === 'schedule';
  const inRow = waiting.filter((one) => one.waiting_for?.reason === 'throttle');
  const options =
    inRow.length === 0 ? undefined : await loadOptions(new Map([[webhook.id, webhook]]), new Set([webhook.id]));
  const throttle = options?.get(webhook.id)?.throttle;
  const own = throttle && rowOfThrottle(throttle);
  const left = inRow.filter(({ row }) => (row === 'host' ? webhook.accepts === true : row !== own));
  // If the same throttle is set again, nobody has to wait behind them.
  const rows = new Set(left.flatMap(({ row = 'host' }) => (row === 'host' ? [] : row)));
  await Promise.all([...rows].map((row) => remove(limitKey(throttleRow(webhook.id, row)))));
  return new Set([...waiting.filter(isScheduled), ...left]);
};

/** Returns whether a delivery was not tried since the release began, and won't come soon. */
const isAhead = ({ next_attempt_at, last_attempt_at, early = 0 }: Delivery, releasing: string, now: number): boolean =>
  early < mostEarly &&
  Date.parse(next_attempt_at ?? '') > now + soonMs &&
  (last_attempt_at === null || Date.parse(last_attempt_at) < Date.parse(releasing));

/**
 * Sends deliveries. A parked one keeps its step, so its record is not written again. Any other has a later message,
 * which its next step voids; that step is sent before it is recorded, as in `attempt/deliver.ts`.
 */
const release = async (deliveries: readonly Delivery[], now: number): Promise<void> => {
  const [parked, ahead] = [deliveries.filter(isParked), deliveries.filter((one) => !isParked(one))];
  const steps = ahead.map((one) => dueNow(one, now));
  const messages = steps.map((one) => nextMessageOf(one, now));
  await sendToLanes([
    ...parked.map((one) => ({ message: messageOf(one), lane: 'slow' as const })),
    ...messages.filter((message) => message !== undefined),
  ]);
  await settleAll(
    steps.map((one, at) => limited(() => recordStep(one, { due: messages[at] ? undefined : dueOf(one) }))),
  );
};

/** Returns a delivery that is due now, or at the time that its receiver asked for. */
const dueNow = (delivery: Delivery, now: number): Delivery => {
  const asked = delivery.asked_until === undefined ? 0 : Date.parse(delivery.asked_until);
  return {
    ...delivery,
    waits: delivery.waits + 1,
    early: (delivery.early ?? 0) + (delivery.waiting_for?.reason === 'schedule' ? 1 : 0) || undefined,
    next_attempt_at: timestamp(asked > now ? spreadAfter(asked, now, Math.random) : now),
    waiting_for: asked > now ? { reason: 'retry_after', until: timestamp(asked) } : null,
  };
};

/** Returns when the sweep sends a delivery that has no message, in epoch ms. */
const dueOf = ({ next_attempt_at }: Delivery): number => Date.parse(next_attempt_at ?? '');
