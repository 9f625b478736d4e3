/** Recoveries: replays of many webhooks. Each has its own, so that a failing receiver delays no other. */
import { send, trySending } from '../../aws/queues.ts';
import type { Caller } from '../../foundation/caller.ts';
import { second, systemClock, timestamp } from '../../foundation/clock.ts';
import { NoPermissionError, NotFoundError } from '../../foundation/errors.ts';
import { covers } from '../../foundation/event-selection.ts';
import { type IntegrationId, type RecoveryId, type ReplayId, timeOfId, type WebhookId } from '../../foundation/ids.ts';
import { newId } from '../../foundation/new-id.ts';
import { present } from '../../foundation/resource.ts';
import { semaphore } from '../../foundation/semaphore.ts';
import type { Settings } from '../../foundation/settings.ts';
import { getMany } from '../../table/batch.ts';
import { get, put } from '../../table/item.ts';
import type { Key } from '../../table/table-key.ts';
import { recordRequest } from '../../webhooks/audit.ts';
import { webhookKey } from '../../webhooks/table-keys.ts';
import type { Webhook } from '../../webhooks/webhook.ts';
import { logsOf } from '../log/logs.ts';
import { mergeDeliveries } from '../log/merge.ts';
import { newestDeliveries } from '../records/store.ts';
import { countReplay } from './limits.ts';
import { isReplayed, keptMs, presentReplay, type Replay, type Selection, undeliveredStates } from './replay.ts';
import { begin } from './request.ts';
import { type RecoveryResource, recoveryResource } from './resource.ts';
import type { NewRecovery, ReplayMessage } from './schema.ts';
import { replayKey } from './store.ts';

/** The record of a recovery: what was requested, and the replays that do it. */
interface Recovery
  extends Pick<RecoveryResource, 'since' | 'until' | 'status' | 'event' | 'skipped_webhook_ids' | 'created_at'> {
  readonly id: RecoveryId;
  /** Whose it is; null for one of a staff member. */
  readonly integration_id: IntegrationId | null;
  readonly replays: readonly ReplayId[];
  /** When DynamoDB may delete it, in epoch seconds. */
  readonly expires_at: number;
}

const recoveryKey = (id: RecoveryId): Key => ({ pk: `REPLAY#${id}`, sk: 'RECOVERY' });

/** Concurrent requests to the table, within the connections of its client. */
const concurrency = 50;
/** The most deliveries that a dry run reads (the text of `searched_to` names it). */
const maxSearched = 5000;

/** Starts a recovery, or counts what it would send. @throws TooManyRequestsError, ServiceUnavailableError */
export const requestRecovery = async (
  webhookIds: readonly WebhookId[],
  input: NewRecovery,
  caller: Caller,
  rules: Settings['deliveries'],
): Promise<RecoveryResource> => {
  await countReplay(caller, rules);
  const now = systemClock();
  const until = Math.max(input.since, Math.min(input.until, now));
  const wanted: Selection = { ...input, until, ...(input.status === null && { missed: true }) };
  const webhooks = await getMany<Webhook>([...new Set(webhookIds)].map(webhookKey));
  const shown = {
    since: timestamp(wanted.since),
    until: timestamp(until),
    status: wanted.status,
    event: wanted.event ?? null,
    created_at: timestamp(now),
  };
  if (input.dry_run) return { ...shown, ...(await count(webhooks, wanted)) };
  const limited = semaphore(concurrency);
  const begun = await Promise.all(webhooks.map((webhook) => limited(() => beginOf(webhook, wanted, caller))));
  const recovery: Recovery = {
    id: newId<RecoveryId>(),
    ...shown,
    integration_id: caller.kind === 'integration' ? caller.integrationId : null,
    replays: begun.flatMap((one) => (typeof one === 'object' ? [one.id] : [])),
    skipped_webhook_ids: webhooks.flatMap(({ id }, place) => (begun[place] === 'busy' ? [id] : [])),
    expires_at: Math.floor((now + keptMs) / second),
  };
  await put({ ...recoveryKey(recovery.id), ...recovery });
  const messages = recovery.replays.map((replay_id) => ({ body: { replay_id } satisfies ReplayMessage }));
  await trySending(`the replays of the recovery ${recovery.id}`, send('replays', messages));
  return presentRecovery(recovery);
};

/** Begins the replay of one webhook, unless it has no deliveries in the range or another replay is running. */
const beginOf = async (webhook: Webhook, wanted: Selection, caller: Caller): Promise<Replay | 'none' | 'busy'> => {
  if ((await newestDeliveries(webhook.id, 1, wanted)).length === 0) return 'none';
  const begun = await begin(webhook.id, wanted);
  if (begun === 'gone') return 'none';
  if ('running' in begun) return 'busy';
  const { since, until, status } = begun;
  await recordRequest(caller, 'webhook.replayed', webhook, { since, until, status });
  return begun;
};

/** Counts what a recovery would send, from the newest delivery on, as far as one request can. */
const count = async (webhooks: readonly Webhook[], wanted: Selection) => {
  const { since, until } = wanted;
  const selected = new Map(webhooks.map(({ id, event }) => [id, event]));
  const statuses = wanted.status === null ? undeliveredStates : [wanted.status];
  const sources = statuses.flatMap((status) => logsOf(webhooks, { status }));
  const { deliveries, next } = await mergeDeliveries(sources, { since, until }, maxSearched, undefined);
  const meant = deliveries.filter(
    (one) => isReplayed(wanted, one) && covers(selected.get(one.webhook_id) ?? '', one.event),
  );
  return {
    id: null,
    state: 'finished' as const,
    matched: meant.length,
    searched_to: next && timestamp(timeOfId(next)),
    progress: { checked: deliveries.length, replayed: 0, percent: 100 },
    webhooks: 0,
    skipped_webhook_ids: [],
  };
};

/** Finds a recovery: staff any, an integration its own. @throws NotFoundError, NoPermissionError */
export const findRecovery = async (id: RecoveryId, caller: Caller): Promise<RecoveryResource> => {
  const recovery = await get<Recovery>(recoveryKey(id));
  if (recovery === undefined || recovery.expires_at * second <= systemClock())
    throw new NotFoundError(`No recovery has the id \`${id}\`.`, { help: 'A recovery is stored for 30 days.' });
  if (caller.kind === 'integration' && recovery.integration_id !== caller.integrationId)
    throw new NoPermissionError('This recovery was requested by somebody else.', {
      help: 'Use the key of that integration, or of an Owner or Administrator.',
    });
  return presentRecovery(recovery);
};

const presentRecovery = async (recovery: Recovery): Promise<RecoveryResource> => {
  const replays = (await getMany<Replay>(recovery.replays.map(replayKey))).map(presentReplay);
  const sum = (name: 'checked' | 'replayed' | 'percent') =>
    replays.reduce((total, { progress }) => total + progress[name], 0);
  const isRunning = replays.some(({ state }) => state === 'running');
  return present(recoveryResource, {
    ...recovery,
    state: isRunning ? 'running' : 'finished',
    matched: isRunning ? null : sum('replayed'),
    searched_to: null,
    progress: {
      checked: sum('checked'),
      replayed: sum('replayed'),
      percent: isRunning ? Math.floor(sum('percent') / replays.length) : 100,
    },
    webhooks: recovery.replays.length,
  });
};
