/** `GET /admin/webhooks/{id}/replays/{replay_id}/`: shows how far a replay is. */

import { endpoint } from '../../shared/accounts/endpoint.ts';
import { findReplay, presentReplay } from '../../shared/deliveries/replays/replay.ts';
import { readReplay } from '../../shared/deliveries/replays/store.ts';
import { systemClock } from '../../shared/foundation/clock.ts';
import type { JobId, WebhookId } from '../../shared/foundation/ids.ts';
import { ok } from '../../shared/http/response.ts';
import { findWebhook } from '../../shared/webhooks/manage.ts';
import { webhookStore } from '../../shared/webhooks/store.ts';

export const handler = endpoint({
  line: 'replays/read',
  handle: async ({ id, caller }) => {
    const webhook = await findWebhook(webhookStore, id<WebhookId>(), caller);
    const replay = await findReplay({ readReplay, clock: systemClock }, webhook.id, id<JobId>('replay_id'));
    return ok({ replays: [presentReplay(replay)] });
  },
});
