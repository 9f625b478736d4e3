/** `GET /admin/webhooks/{id}/replays/{replay_id}/`: shows how far a replay is. */

import { findKey } from '../../shared/accounts/find-api-key.ts';
import { findReplay, presentReplay } from '../../shared/deliveries/replays/replay.ts';
import { readReplay } from '../../shared/deliveries/replays/store.ts';
import { systemClock } from '../../shared/foundation/clock.ts';
import type { JobId, WebhookId } from '../../shared/foundation/ids.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { ok } from '../../shared/http/response.ts';
import { findWebhook } from '../../shared/webhooks/manage.ts';
import { webhookStore } from '../../shared/webhooks/store.ts';

export const handler = endpoint({
  line: 'replays/read',
  keys: findKey,
  handle: async ({ id, caller }) => {
    const webhook = await findWebhook(webhookStore, id<WebhookId>(), caller);
    const replay = await findReplay({ readReplay, clock: systemClock }, webhook.id, id<JobId>('replay_id'));
    return ok({ replays: [presentReplay(replay)] });
  },
});
