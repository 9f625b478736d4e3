/** Rotating a webhook's secret: the new one is returned once, and for a day deliveries are signed with the old one as well. */
import { randomBytes } from 'node:crypto';
import type { Caller } from '../foundation/caller.ts';
import { day, systemClock, timestamp } from '../foundation/clock.ts';
import type { WebhookId } from '../foundation/ids.ts';
import { untilWritten } from '../table/optimistic.ts';
import { findWebhook } from './manage.ts';
import { changeSecret, type Rotation } from './secret-store.ts';

const overlapMs = day;
/** Standard Webhooks recommends 24 to 64 bytes. */
const secretBytes = 32;

/** Rotates the secret and returns the new one. @throws NotFoundError, NoPermissionError, ServiceUnavailableError after lost races */
export const rotateSecret = (id: WebhookId, caller: Caller): Promise<Rotation> =>
  untilWritten(`the secret of the webhook ${id}`, async () => {
    const webhook = await findWebhook(id, caller);
    const now = systemClock();
    return changeSecret(webhook, {
      secret: `whsec_${randomBytes(secretBytes).toString('base64')}`,
      previous: webhook.secret === null ? null : { secret: webhook.secret, until: timestamp(now + overlapMs) },
      updated_at: timestamp(now),
    });
  });
