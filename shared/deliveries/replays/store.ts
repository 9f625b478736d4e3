/** Stores replays by id. A running one is named by its webhook, and due, so that the sweep finds it. */
import { dueAt } from '../../due/due-index.ts';
import { minute } from '../../foundation/clock.ts';
import type { ReplayId, WebhookId } from '../../foundation/ids.ts';
import { newRevision } from '../../foundation/new-id.ts';
import { allOf, anyOf, type Condition, exists, is, isStill, missing } from '../../table/condition.ts';
import { tryWrite } from '../../table/conditional.ts';
import { get, update } from '../../table/item.ts';
import { tryOnce, updateOnce } from '../../table/once.ts';
import type { Key } from '../../table/table-key.ts';
import { transact } from '../../table/transaction.ts';
import { webhookKey } from '../../webhooks/table-keys.ts';
import type { Replay } from './replay.ts';

export const replayKey = (id: ReplayId): Key => ({ pk: `REPLAY#${id}`, sk: 'REPLAY' });

/** Returns the id of the replay that has this key. */
export const replayOfKey = ({ pk }: Key): ReplayId => pk.slice('REPLAY#'.length) as ReplayId;

/** The time after the planned start of the next run at which the sweep checks it. */
const graceMs = 2 * minute;

export const readReplay = (id: ReplayId): Promise<Replay | undefined> => get<Replay>(replayKey(id));

/** `busy`: the webhook names another replay as its running one. `gone`: the webhook does not exist. */
export type Beginning =
  | { readonly kind: 'begun' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'busy'; readonly running: ReplayId };

/** Stores a new replay as the running one of its webhook if that has none, or names `ended`, which has ended. */
export const beginReplay = async (replay: Replay, ended: ReplayId | undefined): Promise<Beginning> => {
  // The run of `ended` may have released the webhook in the meantime.
  const isReleased = missing('running_replay');
  const isFree = ended === undefined ? isReleased : anyOf(isReleased, is('running_replay', ended));
  const { refusal } = await addReplay(replay, isFree);
  if (refusal === undefined) return { kind: 'begun' };
  const running = refusal.found<{ running_replay?: ReplayId }>(1)?.running_replay;
  return running === undefined ? { kind: 'gone' } : { kind: 'busy', running };
};

const addReplay = (replay: Replay, isFree: Condition) =>
  tryOnce(
    transact([
      {
        kind: 'put',
        item: {
          ...replayKey(replay.id),
          ...replay,
          ...dueAt(replayKey(replay.id), Date.parse(replay.created_at) + graceMs),
        },
      },
      {
        kind: 'update',
        key: webhookKey(replay.webhook_id),
        change: { set: { running_replay: replay.id } },
        condition: allOf(exists(), isFree),
      },
    ]),
    async () => (await readReplay(replay.id)) !== undefined,
  );

/** Saves a run's progress unless another run has; `next` (epoch ms) is when the next run should start. */
export const saveReplay = async (replay: Replay, next: number): Promise<boolean> => {
  const { state, cursor, span, checked, replayed, in_lane, window, updated_at, chunk_at } = replay;
  const progress = {
    state,
    cursor,
    checked,
    replayed,
    in_lane,
    window,
    updated_at,
    chunk_at,
    run: newRevision(),
    ...(span && { span }),
  };
  const isRunning = state === 'running';
  const { written } = await updateOnce(
    replayKey(replay.id),
    {
      set: { ...progress, ...(isRunning && { due_at: dueAt(replayKey(replay.id), next + graceMs).due_at }) },
      ...(!isRunning && { remove: ['due', 'due_at'] }),
    },
    allOf(is('state', 'running'), isStill('run', replay.run)),
  );
  if (written && !isRunning) await releaseWebhook(replay.webhook_id, replay.id);
  return written;
};

const releaseWebhook = async (webhook: WebhookId, replay: ReplayId): Promise<void> => {
  await tryWrite(update(webhookKey(webhook), { remove: ['running_replay'] }, is('running_replay', replay)));
};
