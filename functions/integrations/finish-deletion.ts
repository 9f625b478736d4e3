/** Processes the deletions queue: completes deletions of integrations, and deletes declined webhooks. */
import * as v from 'valibot';
import { log } from '../../shared/aws/log.ts';
import { send } from '../../shared/aws/queues.ts';
import { queueWorker } from '../../shared/aws/worker.ts';
import { second } from '../../shared/foundation/clock.ts';
import { continueDeletion, type DeletionMessage, deletionMessage } from '../../shared/integrations/delete.ts';
import { deleteUntouched, untouchedMessage } from '../../shared/webhooks/delete-untouched.ts';

/** Time for a started page: reading and writing it take at most 4 s each. */
const reserveMs = 20 * second;

const finish = async (message: DeletionMessage, deadline: number): Promise<void> => {
  const end = await continueDeletion(message.integration_id, deadline);
  log.info('continued a deletion', { integration_id: message.integration_id, is_gone: end === 'gone' });
  if (end === 'going') await send('deletions', [{ body: message }]);
};

export const handler = queueWorker(v.union([deletionMessage, untouchedMessage]), (batch, timeoutAt) =>
  batch.map(({ body }) => ('webhook_id' in body ? deleteUntouched(body) : finish(body, timeoutAt - reserveMs))),
);
