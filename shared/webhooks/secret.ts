/** Rotating a webhook's secret: the new one is returned once, and for a day deliveries are signed with the old one as well. */
import { randomBytes } from 'node:crypto';
import type { Caller } from '../foundation/caller.ts';
import { day, second, systemClock, timestamp } from '../foundation/clock.ts';
import { TooManyRequestsError } from '../foundation/errors.ts';
import type { WebhookId } from '../foundation/ids.ts';
import { untilWritten } from '../table/optimistic.ts';
import { auditedWebhook } from './audit.ts';
import { findWebhook } from './find.ts';
import { changeSecret, type Rotation } from './secret-store.ts';
import { type PreviousSecret, previousSecrets } from './webhook.ts';

const overlapMs = day;
/** Standard Webhooks recommends 24 to 64 bytes. */
const secretBytes = 32;
/** Each signs every delivery, in a header that servers limit to some kilobytes. */
const maxPrevious = 5;

/**
 * Rotates the secret and returns the new one. Beyond five a day staff drop the oldest, because someone with a leaked key must not make them wait.
 * @throws NotFoundError, NoPermissionError, TooManyRequestsError, ServiceUnavailableError after lost races
 */
export const rotateSecret = (id: WebhookId, caller: Caller): Promise<Rotation> =>
  untilWritten(`the secret of the webhook ${id}`, async () => {
    const webhook = await findWebhook(id, caller);
    const now = systemClock();
    const valid = previousSecrets(webhook, now);
    const oldest = valid[maxPrevious - 1];
    if (oldest !== undefined && caller.kind !== 'staff') throw tooMany(oldest, now);
    const entry = auditedWebhook(caller, 'webhook.secret.rotated', webhook);
    return changeSecret(
      webhook,
      {
        secret: `whsec_${randomBytes(secretBytes).toString('base64')}`,
        previous: (webhook.secret === null
          ? valid
          : [{ secret: webhook.secret, until: timestamp(now + overlapMs) }, ...valid]
        ).slice(0, maxPrevious),
        updated_at: timestamp(now),
      },
      [entry],
    );
  });

const tooMany = ({ until }: PreviousSecret, now: number): TooManyRequestsError =>
  new TooManyRequestsError(`A secret can be rotated ${maxPrevious} times a day.`, (Date.parse(until) - now) / second, {
    help: 'Each earlier secret signs for a day. Retry after the seconds in Retry-After.',
  });
