/** Rotating a webhook's secret: the new one is shown once, and for a day deliveries are signed with the old one as well. */
import type { Caller } from '../foundation/caller.ts';
import { type Clock, day, timestamp } from '../foundation/clock.ts';
import type { WebhookId } from '../foundation/ids.ts';
import { untilWritten } from '../table/optimistic.ts';
import { findWebhook } from './manage.ts';
import type { Webhook } from './webhook.ts';

interface Ports {
  readonly read: (id: WebhookId) => Promise<Webhook | undefined>;
  /** Gives false where the webhook is gone, or has another secret than it had when it was read. */
  readonly changeSecret: (before: Webhook, change: SecretChange) => Promise<boolean>;
  readonly randomBytes: (count: number) => Buffer;
  readonly clock: Clock;
}

export interface SecretChange {
  readonly secret: string;
  /** The one before; null where there was none. */
  readonly previous: { readonly secret: string; readonly until: string } | null;
  readonly updated_at: string;
}

const overlapMs = day;
/** Standard Webhooks asks for 24 to 64 bytes. */
const secretBytes = 32;

/** Makes a new secret and gives it. @throws NotFoundError, NoPermissionError, ServiceUnavailableError under endless races */
export const rotateSecret = (ports: Ports, id: WebhookId, caller: Caller): Promise<SecretChange> => {
  return untilWritten(`the secret of the webhook ${id}`, async () => {
    const webhook = await findWebhook(ports, id, caller);
    const now = ports.clock();
    const change: SecretChange = {
      secret: `whsec_${ports.randomBytes(secretBytes).toString('base64')}`,
      previous: webhook.secret === null ? null : { secret: webhook.secret, until: timestamp(now + overlapMs) },
      updated_at: timestamp(now),
    };
    return (await ports.changeSecret(webhook, change)) ? change : undefined;
  });
};
