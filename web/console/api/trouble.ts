/** What is wrong with a webhook: cause, since when, waiting deliveries, next attempt, the receiver's last answer. */
import { type Cause, causeOf } from '../../../shared/webhooks/cause.ts';
import { get } from './client.ts';
import { readCounted } from './counted.ts';
import type { Delivery, DeliveryState, DeliveryWithLog, Webhook } from './resources.ts';

export interface Trouble {
  /** Undefined for a webhook that is disabled without a failure. */
  readonly cause: Cause | undefined;
  readonly status: string | null;
  readonly error: string | null;
  /** ISO time of the first delivery since the last success; null if it is not in the log. */
  readonly since: string | null;
  readonly waiting: { readonly count: number; readonly hasMore: boolean };
  readonly nextAttempt: string | null;
  /** The first lines of the last answer; empty without one. */
  readonly answer: string;
}

const waitingStates = ['pending', 'retrying', 'held'] as const satisfies DeliveryState[];

/** In characters. */
const maxAnswer = 300;
const maxLines = 4;

const firstLines = (text: string): string => text.trim().split('\n').slice(0, maxLines).join('\n').slice(0, maxAnswer);

/** Returns why an attempt failed; undefined if it did not. */
const failureOf = (status: string | null, error: string | null): Cause | undefined =>
  error !== null || (status !== null && !status.startsWith('2')) ? causeOf(status, error) : undefined;

/** Returns why the last event failed, which the webhook itself says. */
export const lastFailureOf = ({ last_triggered_status, last_triggered_error }: Webhook): Cause | undefined =>
  failureOf(last_triggered_status, last_triggered_error);

/** Reads this from the webhook's log. @throws ApiError, OfflineError */
export const readTrouble = async (webhook: Webhook, signal: AbortSignal): Promise<Trouble> => {
  const [{ rows, hasMore }, ...waiting] = await Promise.all([
    readCounted({ webhook_id: webhook.id }, signal, 1),
    ...waitingStates.map((status) => readCounted({ webhook_id: webhook.id, status }, signal, 1)),
  ]);
  const waitingRows = waiting.flatMap((one) => one.rows);
  const success = rows.findIndex(({ status }) => status === 'delivered');
  const since = rows.slice(0, success < 0 ? rows.length : success).at(-1)?.created_at ?? null;
  const last = lastAttempted(rows);
  const status = last?.last_status ?? webhook.last_triggered_status;
  const error = last?.last_error ?? webhook.last_triggered_error;
  return {
    cause: failureOf(status, error),
    status,
    error,
    since: hasMore && success < 0 ? null : since,
    waiting: { count: waitingRows.length, hasMore: waiting.some((one) => one.hasMore) },
    nextAttempt: waitingRows.flatMap(({ next_attempt_at }) => next_attempt_at ?? []).sort()[0] ?? null,
    answer:
      last === undefined || status === null || failureOf(status, error) === undefined
        ? ''
        : await readAnswer(last, signal),
  };
};

/** Returns the delivery with the latest attempt; pings count too. */
const lastAttempted = (rows: readonly Delivery[]): Delivery | undefined =>
  rows
    .filter(({ last_attempt_at }) => last_attempt_at !== null)
    .toSorted((a, b) => (b.last_attempt_at ?? '').localeCompare(a.last_attempt_at ?? ''))[0];

const readAnswer = async ({ webhook_id, id }: Delivery, signal: AbortSignal): Promise<string> => {
  const path = `/admin/webhooks/${webhook_id}/deliveries/${id}/`;
  const { deliveries } = await get<{ deliveries: [DeliveryWithLog] }>(path, {}, signal);
  return firstLines(deliveries[0].log.at(-1)?.response ?? '');
};
