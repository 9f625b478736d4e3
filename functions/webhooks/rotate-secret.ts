/** `POST /admin/webhooks/{id}/secret/`: gives a webhook a new secret, which is in this answer and nowhere else. */
import { randomBytes } from 'node:crypto';
import { findKey } from '../../shared/accounts/find-api-key.ts';
import { systemClock } from '../../shared/foundation/clock.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { ok } from '../../shared/http/response.ts';
import { rotateSecret } from '../../shared/webhooks/secret.ts';
import { changeSecret, webhookStore } from '../../shared/webhooks/store.ts';

const ports = { read: webhookStore.read, changeSecret, randomBytes, clock: systemClock };

export const handler = endpoint({
  line: 'webhooks/rotate-secret',
  keys: findKey,
  handle: async ({ id, caller }) => {
    const { secret, previous } = await rotateSecret(ports, id<WebhookId>(), caller);
    return ok({ secrets: [{ secret, previous_valid_until: previous?.until ?? null }] });
  },
});
