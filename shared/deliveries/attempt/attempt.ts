/** One attempt: its request, and the effect of its result on the delivery and the webhook. */
import { receivedId } from '../../events/event.ts';
import { render } from '../../formats/format.ts';
import { minute, second, timestamp } from '../../foundation/clock.ts';
import type { Settings } from '../../foundation/settings.ts';
import type { Observation } from '../../webhooks/health.ts';
import type { Options } from '../../webhooks/options-resource.ts';
import { previousSecrets, type Webhook } from '../../webhooks/webhook.ts';
import { type Delivery, type DeliveryMessage, expiresAt } from '../delivery.ts';
import type { Attempt } from '../logged.ts';
import type { WaitingFor } from '../resource.ts';
import { endOfAttempts, type NextAttempt, nextAttempt, retryAfterMs } from '../schedule.ts';
import type { SendResult } from '../sender/result.ts';
import type { SendRequest } from '../sender/send.ts';
import { signatures } from '../sender/signature.ts';
import type { LoadedEvent } from './load.ts';

const userAgent = 'Masthead/0.2';

/** The pause after a 429 or 503 without `Retry-After`. */
const defaultPauseMs = 30 * second;
/** The longest pause of a webhook after one answer, as for an open breaker. The answered delivery may wait longer. */
const maxPauseMs = 15 * minute;

type RequestFields = Pick<Webhook, 'target_url' | 'api_version' | 'secret' | 'previous_secrets'>;
type Sent = Pick<DeliveryMessage, 'delivery_id' | 'event' | 'event_id' | 'body_hash' | 'attempt' | 'trigger'>;

/** A request, and the names of headers whose values must never be shown. */
export interface BuiltRequest extends SendRequest {
  readonly credentials: readonly string[];
}

/** Returns the POST of an attempt. */
export const requestOf = (
  webhook: RequestFields,
  event: LoadedEvent,
  message: Sent,
  now: number,
  timeoutMs: number,
  options?: Options,
): BuiltRequest => {
  const { bytes: body, headers, credentials, url } = contentOf(webhook, event, message, options);
  return {
    url,
    headers: {
      ...headers,
      // The log shows the start of the answer as text.
      'Accept-Encoding': 'identity',
      'User-Agent': userAgent,
      'Masthead-Event-Id': receivedId(message.event_id, message.body_hash),
      'Masthead-Event-Time': event.created_at,
      'Masthead-Attempt': String(message.attempt),
      'Masthead-Trigger': message.trigger,
      ...(event.traceparent !== undefined && { traceparent: event.traceparent }),
      ...signatures({ id: message.delivery_id, body, now, secrets: secretsOf(webhook, now) }),
    },
    body,
    timeoutMs,
    credentials,
  };
};

const contentOf = (
  { api_version, target_url: url }: RequestFields,
  event: LoadedEvent,
  message: Sent,
  options: Options | undefined,
): { readonly bytes: Uint8Array } & Pick<BuiltRequest, 'url' | 'headers' | 'credentials'> => {
  const { bytes, contentVersion, parsed } = event.build(api_version);
  // Strict firewalls refuse requests without `Accept`, which every client may send.
  const common = { Accept: '*/*', 'Content-Version': contentVersion };
  const usual = { 'Content-Type': 'application/json', ...common };
  if (options === undefined) return { url, bytes, headers: usual, credentials: [] };
  const rendered = render(options.format, url, () => ({
    event: message.event,
    event_id: receivedId(message.event_id, message.body_hash),
    event_time: event.created_at,
    body: parsed(),
  }));
  if (rendered === undefined)
    return { url, bytes, headers: merged(usual, options.headers), credentials: Object.keys(options.headers) };
  const secrets = { ...rendered.credentials, ...options.headers };
  return {
    url: rendered.url ?? url,
    bytes: new TextEncoder().encode(rendered.body),
    headers: merged({ ...common, ...rendered.headers }, secrets),
    credentials: Object.keys(secrets),
  };
};

/** Adds headers; one with the same name in any case is replaced. */
const merged = (
  headers: Readonly<Record<string, string>>,
  added: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> => {
  const names = new Set(Object.keys(added).map((name) => name.toLowerCase()));
  const kept = Object.entries(headers).filter(([name]) => !names.has(name.toLowerCase()));
  return { ...Object.fromEntries(kept), ...added };
};

const secretsOf = (webhook: RequestFields, now: number): readonly string[] =>
  webhook.secret === null ? [] : [webhook.secret, ...previousSecrets(webhook, now).map(({ secret }) => secret)];

export interface AttemptOutcome {
  readonly after: Delivery;
  /** Undefined if the attempt says nothing about the webhook: its target is not allowed, so nothing was sent. */
  readonly observation: Observation | undefined;
  /** Whether the receiver asked for no more deliveries, which disables the webhook. */
  readonly isDeclined: boolean;
}

/** Further facts about an attempt. Times in epoch ms. */
interface AttemptContext {
  readonly apiVersion: string;
  readonly startedAt: number;
  readonly now: number;
  readonly isProbe: boolean;
  /** Whether it was unanswered at the soft deadline. */
  readonly wasLate: boolean;
}

type Rules = Pick<Settings['deliveries'], 'retryAfterSeconds' | 'keepDays'>;

/** Returns the effect of an attempt's result. */
export const judge = (
  delivery: Delivery,
  result: SendResult,
  context: AttemptContext,
  rules: Rules,
): AttemptOutcome => {
  const { startedAt, now, isProbe, wasLate } = context;
  const attempt = attemptOf(delivery, result, startedAt);
  if (result.outcome === 'failed') {
    if (result.error === 'blocked')
      return {
        after: afterAttempt(delivery, attempt, 'blocked', rules, context),
        observation: undefined,
        isDeclined: false,
      };
    const hung = result.error === 'timeout';
    return {
      after: afterFailure(delivery, attempt, 0, rules, context),
      observation: { outcome: 'failed', hung, wasLate, pauseMs: 0, isProbe },
      isDeclined: false,
    };
  }
  const { status, headers } = result;
  const isDeclined = status === 410 || headers['webhook-delivery']?.trim().toLowerCase() === 'disable';
  if (isSuccess(status) || status === 410)
    return {
      after: isSuccess(status)
        ? afterAttempt(delivery, attempt, 'delivered', rules, context)
        : afterDecline(delivery, attempt, rules, context),
      observation: { outcome: 'answered', hung: false, wasLate, pauseMs: 0, isProbe },
      isDeclined,
    };
  const askedMs = retryAfterMs(headers['retry-after'], now);
  // 429 and 503 apply to more than this request (RFC 6585, 4; RFC 9110, 15.6.4).
  const pauseMs = status === 429 || status === 503 ? Math.min(askedMs || defaultPauseMs, maxPauseMs) : 0;
  return {
    after: afterFailure(delivery, attempt, askedMs, rules, context),
    observation: {
      outcome: status < 500 ? 'answered' : 'failed',
      hung: false,
      wasLate,
      pauseMs,
      isProbe,
    },
    isDeclined,
  };
};

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** A 410 disables the webhook, so an event's delivery is held like those after it; a requested one fails. */
const afterDecline = (delivery: Delivery, attempt: Attempt, rules: Rules, context: AttemptContext): Delivery =>
  delivery.trigger === 'event'
    ? { ...afterAttempt(delivery, attempt, 'held', rules, context), waiting_for: { reason: 'disabled', until: null } }
    : afterAttempt(delivery, attempt, 'failed', rules, context);

const afterFailure = (
  delivery: Delivery,
  attempt: Attempt,
  askedMs: number,
  rules: Rules,
  context: AttemptContext,
): Delivery => {
  // A ping checks how the receiver is doing now.
  if (delivery.trigger === 'ping') return afterAttempt(delivery, attempt, 'failed', rules, context);
  const schedule = rules.retryAfterSeconds;
  const scheduled = attempt.number - (delivery.early ?? 0);
  const next = nextAttempt(context.now, scheduled, schedule, askedMs, endOfAttempts(delivery), Math.random);
  if (next === undefined) return afterAttempt(delivery, attempt, 'failed', rules, context);
  return {
    ...afterAttempt(delivery, attempt, 'retrying', rules, context),
    next_attempt_at: timestamp(next.at),
    waiting_for: waitingFor(next),
    asked_until: next.askedFor === undefined ? undefined : timestamp(next.askedFor),
  };
};

/** Returns the delivery with this attempt added, and no next one. */
const afterAttempt = (
  delivery: Delivery,
  attempt: Attempt,
  status: Delivery['status'],
  rules: Rules,
  { apiVersion, now }: AttemptContext,
): Delivery => ({
  ...delivery,
  api_version: apiVersion,
  status,
  attempts: attempt.number,
  waits: 0,
  last_attempt_at: attempt.started_at,
  next_attempt_at: null,
  last_status: attempt.status,
  last_error: attempt.error,
  waiting_for: null,
  asked_until: undefined,
  row: undefined,
  expires_at: expiresAt(now, rules),
  log: [...delivery.log, attempt],
});

const waitingFor = ({ at, askedFor, addedMs }: NextAttempt): WaitingFor =>
  askedFor !== undefined && addedMs > 0
    ? { reason: 'retry_after', until: timestamp(askedFor) }
    : { reason: 'schedule', until: timestamp(at) };

const attemptOf = (delivery: Delivery, result: SendResult, startedAt: number): Attempt => ({
  number: delivery.attempts + 1,
  started_at: timestamp(startedAt),
  duration_ms: Math.round(result.durationMs),
  timings: result.timings,
  status: result.outcome === 'answered' ? String(result.status) : null,
  error: result.outcome === 'failed' ? result.error : isSuccess(result.status) ? null : 'status',
  response: result.outcome === 'answered' && result.excerpt !== '' ? result.excerpt : null,
});
