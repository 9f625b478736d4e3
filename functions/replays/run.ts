/** Processes the replays queue: sends the next chunk of a replay, or of a recovered webhook's waiting deliveries. */
import * as v from 'valibot';
import { queueWorker } from '../../shared/aws/worker.ts';
import { waitingMessage } from '../../shared/deliveries/backlog/message.ts';
import { releaseWaiting } from '../../shared/deliveries/backlog/release.ts';
import { runReplay } from '../../shared/deliveries/replays/run.ts';
import { replayMessage } from '../../shared/deliveries/replays/schema.ts';
import { settings } from '../../shared/foundation/environment.ts';

const rules = settings().deliveries;

export const handler = queueWorker(v.union([replayMessage, waitingMessage]), (batch) =>
  batch.map(({ body }) => ('waiting' in body ? releaseWaiting(body) : runReplay(body, rules))),
);
