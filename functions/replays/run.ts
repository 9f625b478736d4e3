/** Processes the replays queue: sends the next chunk of a replay, if the lane has room for it. */
import { queueWorker } from '../../shared/aws/worker.ts';
import { runReplay } from '../../shared/deliveries/replays/run.ts';
import { replayMessage } from '../../shared/deliveries/replays/schema.ts';
import { settings } from '../../shared/foundation/environment.ts';

const rules = settings().deliveries;

export const handler = queueWorker(replayMessage, (batch) => batch.map(({ body }) => runReplay(body, rules)));
