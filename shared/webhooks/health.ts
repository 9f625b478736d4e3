/** A webhook's health: what is kept of its last attempt, and when it has failed for so long that it is disabled. */
import { day, minute, timestamp } from '../foundation/clock.ts';
import { allOf, type Change, type Condition, exists, is, missing } from '../table/condition.ts';
import type { Notice, Webhook } from './webhook.ts';

/** What the newest attempt of a batch says. */
export interface Outcome {
  readonly ok: boolean;
  /** Epoch ms. */
  readonly at: number;
  readonly status: string | null;
  readonly error: string | null;
}

/** What a batch of attempts says about a webhook. */
export interface Finding {
  /** Of the deliveries that events began; those by hand do not count. */
  readonly outcome?: Outcome | undefined;
  /** What the receiver asked for: to be removed (410), or to get nothing any more (`webhook-delivery: disable`). */
  readonly wish?: 'remove' | 'disable' | undefined;
  /** A ping was answered. */
  readonly isAlive?: boolean;
}

export interface HealthStep {
  readonly change: Change;
  /** What must still be so, since others learn at the same time. */
  readonly condition: Condition;
  readonly notice?: Notice;
}

/** What begins or ends with a webhook's failing, and with telling about it. */
export const healthTimers = ['failing_since', 'warned_at', 'notice', 'due', 'due_at'] as const;

/** Of a webhook that stays well the newest delivery tells when it was triggered; this is for the time after the log's end. */
const wellIsWrittenEveryMs = day;
/** Of one that keeps failing. */
const illIsWrittenEveryMs = minute;
/** One failure is no sign yet, since the first retries follow within minutes. */
const signAfterMs = 30 * minute;

/** What to write after a batch of attempts; undefined where nothing has to be. `now` in epoch ms. */
export const healthStep = (
  webhook: Webhook,
  { outcome, wish, isAlive }: Finding,
  disableAfterDays: number,
): HealthStep | undefined => {
  const step =
    outcome && (outcome.ok ? afterSuccess(webhook, outcome) : afterFailure(webhook, outcome, disableAfterDays));
  if (wish === undefined && isAlive !== true && step === undefined) return undefined;
  // What was said to its old address says nothing about its new one.
  const isSame = allOf(exists(), is('target_url', webhook.target_url));
  if (wish === 'disable') {
    const change = { ...step?.change, set: { ...step?.change.set, status: 'disabled' } };
    return { change, condition: allOf(isSame, is('status', 'available')), notice: 'declined' };
  }
  if (isAlive === true && (webhook.status === 'disabled' || webhook.failing_since !== undefined))
    return { change: { set: { ...step?.change.set, status: 'available' }, remove: healthTimers }, condition: isSame };
  return step && { ...step, condition: allOf(isSame, step.condition) };
};

type Step = HealthStep | undefined;

const afterSuccess = (webhook: Webhook, outcome: Outcome): Step => {
  if (webhook.failing_since !== undefined)
    return { change: { set: shown(outcome), remove: healthTimers }, condition: is('status', 'available') };
  return isWritten(webhook, outcome, wellIsWrittenEveryMs)
    ? undefined
    : { change: { set: shown(outcome) }, condition: exists() };
};

const afterFailure = (webhook: Webhook, outcome: Outcome, disableAfterDays: number): Step => {
  const at = timestamp(outcome.at);
  if (webhook.failing_since === undefined)
    return { change: { set: { ...shown(outcome), failing_since: at } }, condition: missing('failing_since') };
  const isSameStory = is('failing_since', webhook.failing_since);
  const failingMs = outcome.at - Date.parse(webhook.failing_since);
  if (failingMs >= disableAfterDays * day && webhook.status === 'available')
    return {
      change: { set: { ...shown(outcome), status: 'disabled' } },
      condition: allOf(isSameStory, is('status', 'available')),
      notice: 'disabled',
    };
  if (failingMs >= signAfterMs && webhook.warned_at === undefined)
    return {
      change: { set: { ...shown(outcome), warned_at: at } },
      condition: allOf(isSameStory, missing('warned_at')),
      notice: 'failing',
    };
  return isWritten(webhook, outcome, illIsWrittenEveryMs)
    ? undefined
    : { change: { set: shown(outcome) }, condition: isSameStory };
};

const shown = ({ at, status, error }: Outcome) => ({
  last_triggered_at: timestamp(at),
  last_triggered_status: status,
  last_triggered_error: error,
});

const isWritten = (webhook: Webhook, outcome: Outcome, everyMs: number): boolean =>
  webhook.last_triggered_at !== null &&
  webhook.last_triggered_status === outcome.status &&
  webhook.last_triggered_error === outcome.error &&
  outcome.at - Date.parse(webhook.last_triggered_at) < everyMs;
