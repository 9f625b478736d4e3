/** The message of the replays queue about what waits for a webhook whose circuit breaker has opened. */
import * as v from 'valibot';
import { maxDelaySeconds, send } from '../../aws/queues.ts';
import { second, systemClock } from '../../foundation/clock.ts';
import type { DeliveryId, WebhookId } from '../../foundation/ids.ts';
import { idSchema } from '../../foundation/resource.ts';
import type { Webhook } from '../../webhooks/webhook.ts';

export const waitingMessage = v.object({
  waiting: idSchema<WebhookId>(),
  /** The success that began the release (`releasing` in its record); missing before it. */
  releasing: v.optional(v.string()),
  /** The place up to which its deliveries were released; missing at the beginning. */
  after: v.optional(idSchema<DeliveryId>()),
  size: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  /** Whether all that waits is visible by now: then the webhook need not be due after the end. */
  isLast: v.optional(v.boolean()),
});

export type WaitingMessage = v.InferOutput<typeof waitingMessage>;

/** Sends the message, at a time in epoch ms. @throws ServiceUnavailableError */
export const sendWaiting = (body: WaitingMessage, at = 0): Promise<void> => {
  const delaySeconds = Math.min(maxDelaySeconds, Math.max(0, Math.ceil((at - systemClock()) / second)));
  return send('replays', [{ body, delaySeconds }]);
};

/** Sends the first message of each of these webhooks. @throws ServiceUnavailableError */
export const sendWaitings = (webhooks: readonly Pick<Webhook, 'id' | 'releasing'>[]): Promise<void> =>
  send(
    'replays',
    webhooks.map(({ id, releasing }) => ({
      body: { waiting: id, releasing, isLast: true } satisfies WaitingMessage,
    })),
  );
