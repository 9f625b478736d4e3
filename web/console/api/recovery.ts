/** Recoveries: sends again what did not reach the receivers of any number of webhooks. */
import type { RecoveryResource } from '../../../shared/deliveries/replays/resource.ts';
import { ask, change, get } from './client.ts';

/** What to send again. Times are ISO. */
export interface Wanted {
  readonly since: string;
  readonly until: string;
  /** Null: what was not delivered, whatever became of it. */
  readonly status: string | null;
}

interface Answer {
  readonly recoveries: readonly [RecoveryResource];
}

const path = '/admin/recoveries/';
/** The most webhooks of a request. */
const maxNamed = 100;

const requestsOf = (webhooks: readonly string[], wanted: Wanted, dry_run: boolean): readonly object[] =>
  Array.from({ length: Math.ceil(webhooks.length / maxNamed) }, (_, page) => ({
    recoveries: [{ ...wanted, webhook_ids: webhooks.slice(page * maxNamed, (page + 1) * maxNamed), dry_run }],
  }));

/** Counts what a recovery of these webhooks would send, without sending it. @throws ApiError, OfflineError */
export const countRecovery = async (
  webhooks: readonly string[],
  wanted: Wanted,
  signal: AbortSignal,
): Promise<{ readonly count: number; readonly hasMore: boolean }> => {
  const answers = await Promise.all(requestsOf(webhooks, wanted, true).map((body) => ask<Answer>(path, body, signal)));
  const counted = answers.map(({ recoveries: [one] }) => one);
  return {
    count: counted.reduce((sum, { matched }) => sum + (matched ?? 0), 0),
    hasMore: counted.some(({ searched_to }) => searched_to !== null),
  };
};

/** Starts a recovery of these webhooks; returns the ids of its parts. @throws ApiError, OfflineError */
export const startRecovery = async (webhooks: readonly string[], wanted: Wanted): Promise<readonly string[]> => {
  const ids: string[] = [];
  for (const body of requestsOf(webhooks, wanted, false)) {
    const { recoveries } = await change<Answer>('POST', path, body);
    ids.push(...recoveries.flatMap(({ id }) => id ?? []));
  }
  return ids;
};

export interface RecoveryProgress {
  readonly isRunning: boolean;
  readonly percent: number;
  readonly checked: number;
  readonly replayed: number;
  /** Webhooks that were left out, because a replay of them was running. */
  readonly skipped: number;
}

/** Reads how far the parts of a recovery are. @throws ApiError, OfflineError */
export const readRecovery = async (ids: readonly string[], signal: AbortSignal): Promise<RecoveryProgress> => {
  const parts = await Promise.all(
    ids.map(async (id) => (await get<Answer>(`${path}${id}/`, {}, signal)).recoveries[0]),
  );
  const sum = (name: 'checked' | 'replayed' | 'percent'): number =>
    parts.reduce((total, { progress }) => total + progress[name], 0);
  return {
    isRunning: parts.some(({ state }) => state === 'running'),
    percent: Math.floor(sum('percent') / Math.max(1, parts.length)),
    checked: sum('checked'),
    replayed: sum('replayed'),
    skipped: parts.reduce((total, { skipped_webhook_ids: ids }) => total + ids.length, 0),
  };
};
