/** Requests a replay. Only one runs for a webhook at a time, and each staff member or integration has an hourly limit. */
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
import { newReplayOf, type Replay } from './replay.ts';
import type { NewReplay, ReplayMessage } from './schema.ts';
import { beginReplay, readReplay } from './store.ts';

/**
 * Starts a replay of a webhook that the caller can manage.
 * @throws NotFoundError, NoPermissionError, TooManyRequestsError, ValidationError if another replay of this webhook is running
 */
export const requestReplay = async (
  id: WebhookId,
  input: NewReplay,
  caller: Caller,
  rules: Settings['deliveries'],
): Promise<Replay> => {
  const webhook = await findWebhook(id, caller);
  await countReplay(caller, rules);
  let ended: ReplayId | undefined;
  const replay = await untilWritten(`the running replay of the webhook ${id}`, async () => {
    const wanted = newReplayOf(newId<ReplayId>(), id, input, systemClock());
    const beginning = await beginReplay(wanted, ended);
    if (beginning.kind === 'begun') return wanted;
    if (beginning.kind === 'gone') await findWebhook(id, caller);
    else if ((await readReplay(beginning.running))?.state === 'running') throw alreadyRunning(id, beginning.running);
    // The run that ended the replay was killed before it released the webhook.
    else ended = beginning.running;
    return undefined;
  });
  await recordRequest(caller, 'webhook.replayed', webhook, {
    since: timestamp(input.since),
    until: timestamp(input.until),
    status: input.status,
  });
  const body: ReplayMessage = { replay_id: replay.id };
  await trySending(`the replay ${replay.id}`, send('replays', [{ body }]));
  return replay;
};

const alreadyRunning = (webhook: WebhookId, replay: ReplayId): ValidationError =>
  new ValidationError(`The replay \`${replay}\` of this webhook is still running.`, {
    context: 'A webhook has one running replay at a time.',
    help: `Retry when it is finished: GET /admin/webhooks/${webhook}/replays/${replay}/ returns its progress.`,
    details: [{ index: 0, field: 'webhook_id', rule: 'one_running_replay', limit: 1, received: replay }],
  });
