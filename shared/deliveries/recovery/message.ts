/** The message of the replays queue that releases a webhook's waiting deliveries when its receiver works again. */
import * as v from 'valibot';
import { send } from '../../aws/queues.ts';
import type { DeliveryId, WebhookId } from '../../foundation/ids.ts';
import { idSchema } from '../../foundation/resource.ts';
import type { Webhook } from '../../webhooks/webhook.ts';

export const recoveryMessage = v.object({
  recovered: idSchema<WebhookId>(),
  /** When its first success came, in epoch ms (`recovering` in its record). Deliveries that failed again since then keep their schedule. */
  recovered_at: v.number(),
  /** The place up to which the log was read; missing at its beginning. */
  after: v.optional(idSchema<DeliveryId>()),
  /** The size of the next chunk. */
  size: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  /** A sample of the last chunk's deliveries. */
  sample: v.optional(v.array(idSchema<DeliveryId>())),
  /** Whether the log is read for the second time. */
  isSecond: v.optional(v.boolean()),
});

export type RecoveryMessage = v.InferOutput<typeof recoveryMessage>;

/** Sends the first message of the releases that these webhooks are marked for. @throws ServiceUnavailableError */
export const sendRecoveries = (webhooks: readonly Pick<Webhook, 'id' | 'recovering'>[]): Promise<void> => {
  const bodies = webhooks.flatMap(({ id, recovering }): RecoveryMessage[] =>
    recovering === undefined ? [] : [{ recovered: id, recovered_at: Date.parse(recovering) }],
  );
  return send(
    'replays',
    bodies.map((body) => ({ body })),
  );
};

/** Sends the message. @throws ServiceUnavailableError */
export const sendRecovery = (body: RecoveryMessage, delaySeconds = 0): Promise<void> =>
  send('replays', [{ body, delaySeconds }]);
