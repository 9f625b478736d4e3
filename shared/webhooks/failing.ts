/** How long a webhook has been failing: its last attempt, when its owners are notified, and when it is disabled. */
import { day, minute, timestamp } from '../foundation/clock.ts';
import type { Change } from '../table/condition.ts';
import type { StatusReport } from './status-messages.ts';
import type { Webhook } from './webhook.ts';

export interface Outcome {
  readonly ok: boolean;
  /** Epoch ms. */
  readonly at: number;
  readonly status: string | null;
  readonly error: string | null;
}

export interface Step extends StatusReport {
  readonly set: NonNullable<Change['set']>;
  readonly remove?: readonly string[];
}

export const failingAttributes = ['failing_since', 'warned_at'] as const;

/** How often a healthy webhook's record is written. Its newest deliveries, kept a day or more, show its last use. */
const healthyEveryMs = day;
const failingEveryMs = minute;
/** How long a webhook must fail before its owners are warned: the first retries follow within minutes. */
const warnAfterMs = 30 * minute;

/** Returns the changes of the record after an attempt; undefined for no write. */
export const stepAfter = (webhook: Webhook, outcome: Outcome, disableAfterDays: number): Step | undefined =>
  outcome.ok ? afterSuccess(webhook, outcome) : afterFailure(webhook, outcome, disableAfterDays);

const afterSuccess = (webhook: Webhook, outcome: Outcome): Step | undefined => {
  if (webhook.failing_since !== undefined)
    // A request from another response that arrived in the meantime stays in effect.
    return webhook.status === 'available'
      ? { set: shown(outcome), remove: failingAttributes, ...toldRecovery(webhook) }
      : undefined;
  const shownAt = Date.parse(webhook.last_triggered_at ?? webhook.created_at);
  // A new target URL has ended the failing of a webhook whose record still shows the failure.
  const showsFailure = webhook.last_triggered_error !== null;
  if (showsFailure) return { set: shown(outcome), ...toldRecovery(webhook) };
  return outcome.at - shownAt < healthyEveryMs ? undefined : { set: shown(outcome) };
};

/** Reports that a webhook works again if its failure was reported. */
export const recovered = ({ status, warned_at }: Webhook): StatusReport =>
  status === 'disabled' || warned_at !== undefined ? { event: { name: 'webhook.recovered', reason: null } } : {};

/** As `recovered`, but also mails people: after a success, not when somebody enables the webhook. */
export const toldRecovery = (webhook: Webhook): StatusReport => {
  const { status, failing_since, warned_at } = webhook;
  const isTold = status === 'disabled' || warned_at !== undefined || failing_since === undefined;
  return { ...recovered(webhook), ...(isTold && { notice: 'recovered' }) };
};

const afterFailure = (webhook: Webhook, outcome: Outcome, disableAfterDays: number): Step | undefined => {
  const at = timestamp(outcome.at);
  if (webhook.failing_since === undefined) return { set: { ...shown(outcome), failing_since: at } };
  const failingMs = outcome.at - Date.parse(webhook.failing_since);
  if (failingMs >= disableAfterDays * day && webhook.status === 'available')
    return {
      set: { ...shown(outcome), status: 'disabled', disabled_for: 'failing' },
      notice: 'disabled',
      event: { name: 'webhook.disabled', reason: 'failing' },
    };
  if (failingMs >= warnAfterMs && webhook.warned_at === undefined)
    return {
      set: { ...shown(outcome), warned_at: at },
      notice: 'failing',
      event: { name: 'webhook.failing', reason: null },
    };
  return isShown(webhook, outcome) ? undefined : { set: shown(outcome) };
};

/** Returns the fields that show an attempt in the record. */
export const shown = ({ at, status, error }: Outcome) => ({
  last_triggered_at: timestamp(at),
  last_triggered_status: status,
  last_triggered_error: error,
});

const isShown = (webhook: Webhook, outcome: Outcome): boolean =>
  webhook.last_triggered_at !== null &&
  webhook.last_triggered_status === outcome.status &&
  webhook.last_triggered_error === outcome.error &&
  outcome.at - Date.parse(webhook.last_triggered_at) < failingEveryMs;
