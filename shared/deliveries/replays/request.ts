/** Requests a replay. One runs per webhook at a time, and each staff member or integration has an hourly limit. */
import { send, trySending } from '../../aws/queues.ts';
import type { Caller } from '../../foundation/caller.ts';
import { systemClock, timestamp } from '../../foundation/clock.ts';
import { ValidationError } from '../../foundation/errors.ts';
import type { ReplayId, WebhookId } from '../../foundation/ids.ts';
import { newId } from '../../foundation/new-id.ts';
import type { Settings } from '../../foundation/settings.ts';
import { untilWritten } from '../../table/optimistic.ts';
import { recordRequest } from '../../webhooks/audit.ts';
import { findWebhook } from '../../webhooks/find.ts';
import { countReplay } from './limits.ts';
import { newReplayOf, type Replay, type Selection } from './replay.ts';
import type { NewReplay, ReplayMessage } from './schema.ts';
import { beginReplay, readReplay } from './store.ts';

/**
 * Starts a replay of a webhook that the caller can manage.
 * @throws NotFoundError, NoPermissionError, TooManyRequestsError, ValidationError if another replay is running
 */
export const requestReplay = async (
  id: WebhookId,
  input: NewReplay,
  caller: Caller,
  rules: Settings['deliveries'],
): Promise<Replay> => {
  const webhook = await findWebhook(id, caller);
  await countReplay(caller, rules);
  const replay = await untilWritten(`the running replay of the webhook ${id}`, async () => {
    const begun = await begin(id, input);
    if (begun !== 'gone') return begun;
    await findWebhook(id, caller);
    return undefined;
  });
  if ('running' in replay) throw alreadyRunning(id, replay.running);
  await recordRequest(caller, 'webhook.replayed', webhook, {
    since: timestamp(input.since),
    until: timestamp(input.until),
    status: input.status,
  });
  const body: ReplayMessage = { replay_id: replay.id };
  await trySending(`the replay ${replay.id}`, send('replays', [{ body }]));
  return replay;
};

/** Begins a replay; returns the id of a running one, or `gone` without a webhook. @throws ServiceUnavailableError */
export const begin = (id: WebhookId, selection: Selection): Promise<Replay | 'gone' | { running: ReplayId }> => {
  let ended: ReplayId | undefined;
  return untilWritten(`the running replay of the webhook ${id}`, async () => {
    const wanted = newReplayOf(newId<ReplayId>(), id, selection, systemClock());
    const beginning = await beginReplay(wanted, ended);
    if (beginning.kind === 'begun') return wanted;
    if (beginning.kind === 'gone') return 'gone';
    const { running } = beginning;
    if ((await readReplay(running))?.state === 'running') return { running };
    // The run that ended the replay was killed before it released the webhook.
    ended = running;
    return undefined;
  });
};

const alreadyRunning = (webhook: WebhookId, replay: ReplayId): ValidationError =>
  new ValidationError(`The replay \`${replay}\` of this webhook is still running.`, {
    context: 'A webhook has one running replay at a time.',
    help: `Retry when it is finished: GET /admin/webhooks/${webhook}/replays/${replay}/ returns its progress.`,
    details: [{ index: 0, field: 'webhook_id', rule: 'one_running_replay', limit: 1, received: replay }],
  });
