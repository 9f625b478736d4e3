/** Incidents: failing webhooks that share host and cause, derived and not stored. Browsers use this file too. */
import { type Cause, causeOf } from '../webhooks/cause.ts';
import type { ListedWebhook } from '../webhooks/webhook.ts';

export const incidentCauses = ['unreachable', 'refused', 'gone', 'rejected', 'too_many'] as const;
export type IncidentCause = (typeof incidentCauses)[number];

export type Failing = Pick<
  ListedWebhook,
  | 'id'
  | 'target_url'
  | 'status'
  | 'last_triggered_at'
  | 'last_triggered_status'
  | 'last_triggered_error'
  | 'failing_since'
  | 'declined'
>;

export interface Incident<Of extends Failing = Failing> {
  /** Of the targets, with the port if the URL has one. */
  readonly host: string;
  readonly cause: IncidentCause;
  /** ISO time at which its first webhook began to fail. */
  readonly since: string;
  /** In the order in which they began to fail. */
  readonly webhooks: readonly [Of, ...Of[]];
  /** The most frequent advice for the webhooks, as its key. */
  readonly advice: Cause;
}

const byStatus: Readonly<Record<string, IncidentCause>> = {
  401: 'refused',
  403: 'refused',
  404: 'gone',
  410: 'gone',
  429: 'too_many',
};

/** Returns the cause of an attempt that failed with this status, or without an answer. */
const incidentCauseOf = (status: string | null): IncidentCause =>
  status === null || status.startsWith('5') ? 'unreachable' : (byStatus[status] ?? 'rejected');

interface Failure extends Pick<Incident, 'host' | 'cause' | 'since' | 'advice'> {}

/** Returns why a webhook fails; undefined if it does not, or if somebody has disabled it. */
export const failureOf = (webhook: Failing): Failure | undefined => {
  const { status, declined, failing_since, last_triggered_at, last_triggered_status, last_triggered_error } = webhook;
  const { host } = new URL(webhook.target_url);
  if (declined !== undefined) return { host, cause: 'gone', since: failing_since ?? declined.at, advice: 'gone' };
  const since = failing_since ?? last_triggered_at;
  if (last_triggered_error === null || since === null) return undefined;
  if (status === 'disabled' && failing_since === undefined) return undefined;
  const cause = incidentCauseOf(last_triggered_status);
  return { host, cause, since, advice: causeOf(last_triggered_status, last_triggered_error) };
};

/** Whether nothing is sent to any of an incident's webhooks. */
export const areDisabled = ({ webhooks }: Incident): boolean => webhooks.every(({ status }) => status === 'disabled');

/** Returns the incidents of these webhooks: those with most webhooks first, then those that began first. */
export const incidentsOf = <Of extends Failing>(webhooks: Iterable<Of>): Incident<Of>[] => {
  const failing = [...webhooks].flatMap((webhook) => {
    const failure = failureOf(webhook);
    return failure === undefined ? [] : [{ webhook, failure }];
  });
  const groups = Map.groupBy(failing, ({ failure: { host, cause } }) => `${cause} ${host}`);
  return [...groups.values()]
    .flatMap((group): Incident<Of>[] => {
      const [first, ...others] = group.toSorted((a, b) => a.failure.since.localeCompare(b.failure.since));
      if (first === undefined) return [];
      const { host, cause, since } = first.failure;
      const advice = mostFrequent(group.map(({ failure }) => failure.advice)) ?? first.failure.advice;
      return [{ host, cause, since, advice, webhooks: [first.webhook, ...others.map(({ webhook }) => webhook)] }];
    })
    .toSorted((a, b) => b.webhooks.length - a.webhooks.length || a.since.localeCompare(b.since));
};

const mostFrequent = (advice: readonly Cause[]): Cause | undefined =>
  [...Map.groupBy(advice, (one) => one)].toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0];
