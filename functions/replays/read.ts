/** `GET /admin/webhooks/{id}/replays/{replay_id}/`: returns the progress of a replay. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import * as example from '../../shared/deliveries/example.ts';
import { checkReplay, presentReplay } from '../../shared/deliveries/replays/replay.ts';
import { replayResource } from '../../shared/deliveries/replays/resource.ts';
import { readReplay } from '../../shared/deliveries/replays/store.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import type { Documentation } from '../../shared/http/documentation.ts';
import { hook } from '../../shared/webhooks/example.ts';
import { findWebhook } from '../../shared/webhooks/find.ts';

export const handler = endpoint({
  line: 'replays/read',
  answer: { status: 200, root: 'replays', item: replayResource },
  handle: async ({ id, caller, reply }) => {
    const webhook = await findWebhook(id<WebhookId>(), caller);
    const replay = id('replay_id');
    return reply([presentReplay(checkReplay(await readReplay(replay), webhook.id, replay))]);
  },
});

export const documentation = (): Documentation => ({
  tag: 'Deliveries',
  summary: 'Get replay progress',
  examples: {
    finished: {
      summary: 'A finished replay',
      path: { id: hook.id, replay_id: example.replay.id },
      answer: [
        {
          ...example.replay,
          state: 'finished',
          progress: { checked: 1204, replayed: 37, percent: 100 },
          updated_at: '2026-11-21T09:45:02.000Z',
        },
      ],
    },
  },
});
