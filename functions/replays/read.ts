/** `GET /admin/webhooks/{id}/replays/{replay_id}/`: returns the progress of a replay. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { checkReplay, presentReplay } from '../../shared/deliveries/replays/replay.ts';
import { readReplay } from '../../shared/deliveries/replays/store.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { ok } from '../../shared/http/response.ts';
import { findWebhook } from '../../shared/webhooks/find.ts';

export const handler = endpoint({
  line: 'replays/read',
  handle: async ({ id, caller }) => {
    const webhook = await findWebhook(id<WebhookId>(), caller);
    const replay = id('replay_id');
    return ok({ replays: [presentReplay(checkReplay(await readReplay(replay), webhook.id, replay))] });
  },
});
