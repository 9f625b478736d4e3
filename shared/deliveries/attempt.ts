/** One attempt: what is posted, and what its result means for the delivery, the receiver and the webhook. */

import { minute, second, timestamp } from '../foundation/clock.ts';
import type { Settings } from '../foundation/settings.ts';
import type { Finding } from '../webhooks/health.ts';
import type { Webhook } from '../webhooks/webhook.ts';
import type { LoadedEvent } from './batch.ts';
import type { Delivery, DeliveryMessage } from './delivery.ts';
import type { Observation } from './receivers/receiver.ts';
import type { Attempt, WaitingFor } from './resource.ts';
import { nextAttempt, type Random, retryAfterMs } from './schedule.ts';
import type { SendRequest, SendResult } from './sender/send.ts';
import { signatures } from './sender/signature.ts';

/** Tells receivers who posts. */
const userAgent = 'Masthead/0.1';

/** Where a receiver says «slow down» without saying how long. */
const defaultSlowDownMs = 30 * second;
/**
 * The longest that one answer keeps all of a receiver's deliveries waiting, as long as an open breaker does: an origin may serve many
 * webhooks, and one of them must not silence the others for a day. The delivery that was answered waits for as long as it was asked to.
 */
const longestSlowDownMs = 15 * minute;

/** The POST of an attempt. */
export const requestOf = (
  webhook: Webhook,
  event: LoadedEvent,
  message: DeliveryMessage,
  now: number,
  timeoutMs: number,
): SendRequest => {
  const { bytes, contentVersion } = event.build(webhook.api_version);
  return {
    url: webhook.target_url,
    headers: {
      'Content-Type': 'application/json',
      'Content-Version': contentVersion,
      'User-Agent': userAgent,
      'Masthead-Event-Id': headerText(message.event_id),
      'Masthead-Event-Time': event.created_at,
      'Masthead-Attempt': String(message.attempt),
      'Masthead-Trigger': message.trigger,
      ...signatures({ id: message.delivery_id, body: bytes, now, secrets: secretsOf(webhook, now) }),
    },
    body: bytes,
    timeoutMs,
  };
};

/** Percent-encodes a publisher's text where it has more than the visible ASCII that every HTTP library accepts in a header. */
const headerText = (text: string): string =>
  /^[\x21-\x7e]*$/.test(text) ? text : encodeURIComponent(text.toWellFormed());

const secretsOf = (webhook: Webhook, now: number): string[] => {
  const overlaps = webhook.previous_secret !== undefined && Date.parse(webhook.previous_secret_until ?? '') > now;
  return [webhook.secret, overlaps ? webhook.previous_secret : null].filter((secret) => typeof secret === 'string');
};

export interface Verdict {
  readonly after: Delivery;
  /** Undefined where the attempt says nothing about the receiver: its address was refused. */
  readonly observation: Observation | undefined;
  readonly wish: Finding['wish'];
}

/** When an attempt began and ended, in epoch ms, and whether it was to find out if the receiver is back. */
interface Circumstances {
  readonly startedAt: number;
  readonly now: number;
  readonly isProbe: boolean;
}

interface Rules {
  readonly settings: Pick<Settings['deliveries'], 'retryAfterSeconds'>;
  readonly random: Random;
}

/** What an attempt's result makes of the delivery. */
export const judge = (
  delivery: Delivery,
  result: SendResult,
  { startedAt, now, isProbe }: Circumstances,
  { settings: { retryAfterSeconds }, random }: Rules,
): Verdict => {
  const attempt = attemptOf(delivery, result, startedAt);
  const { durationMs } = result;
  const retried = (askedMs: number): Delivery => {
    const next = nextAttempt(now, attempt.number, retryAfterSeconds, askedMs, random);
    if (next === undefined) return after(delivery, attempt, 'failed');
    const { at, askedFor } = next;
    const waiting: WaitingFor =
      askedFor === undefined
        ? { reason: 'schedule', until: timestamp(at) }
        : { reason: 'retry_after', until: timestamp(askedFor) };
    return after(delivery, attempt, 'retrying', { at, waiting });
  };
  if (result.outcome === 'failed') {
    if (result.error === 'blocked')
      return { after: after(delivery, attempt, 'blocked'), observation: undefined, wish: undefined };
    return {
      after: retried(0),
      observation: { outcome: 'failed', durationMs, hung: result.error === 'timeout', slowDownMs: 0, isProbe },
      wish: undefined,
    };
  }
  const { status, headers } = result;
  const wish = headers['webhook-delivery']?.trim().toLowerCase() === 'disable' ? 'disable' : undefined;
  if (isSuccess(status) || status === 410)
    return {
      after: after(delivery, attempt, isSuccess(status) ? 'delivered' : 'failed'),
      observation: { outcome: 'answered', durationMs, hung: false, slowDownMs: 0, isProbe },
      wish: status === 410 ? 'remove' : wish,
    };
  const askedMs = retryAfterMs(headers['retry-after'], now);
  // 429 and 503 speak for the whole receiver (RFC 6585, 4; RFC 9110, 15.6.4).
  const slowDownMs = status === 429 || status === 503 ? Math.min(askedMs || defaultSlowDownMs, longestSlowDownMs) : 0;
  return {
    after: retried(askedMs),
    observation: { outcome: status < 500 ? 'answered' : 'failed', durationMs, hung: false, slowDownMs, isProbe },
    wish,
  };
};

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

const after = (
  delivery: Delivery,
  attempt: Attempt,
  status: Delivery['status'],
  next?: { readonly at: number; readonly waiting: WaitingFor },
): Delivery => ({
  ...delivery,
  status,
  attempts: attempt.number,
  last_attempt_at: attempt.started_at,
  next_attempt_at: next === undefined ? null : timestamp(next.at),
  waiting_for: next?.waiting ?? null,
  last_status: attempt.status,
  last_error: attempt.error,
  log: [...delivery.log, attempt],
});

const attemptOf = (delivery: Delivery, result: SendResult, startedAt: number): Attempt => ({
  number: delivery.attempts + 1,
  started_at: timestamp(startedAt),
  duration_ms: Math.round(result.durationMs),
  timings: result.timings,
  status: result.outcome === 'answered' ? String(result.status) : null,
  error: result.outcome === 'failed' ? result.error : isSuccess(result.status) ? null : 'status',
  response: result.outcome === 'answered' && result.excerpt !== '' ? result.excerpt : null,
});
