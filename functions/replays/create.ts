/** `POST /admin/webhooks/{id}/replays/`: delivers once more what a webhook got, or should have got, in a range of time. */

import { endpoint } from '../../shared/accounts/endpoint.ts';
import { log } from '../../shared/aws/log.ts';
import { send } from '../../shared/aws/queues.ts';
import { beginReplay, presentReplay } from '../../shared/deliveries/replays/replay.ts';
import { newReplay, type ReplayMessage } from '../../shared/deliveries/replays/schema.ts';
import { addReplay } from '../../shared/deliveries/replays/store.ts';
import { systemClock } from '../../shared/foundation/clock.ts';
import { newId, type WebhookId } from '../../shared/foundation/ids.ts';
import { accepted } from '../../shared/http/response.ts';
import { findWebhook } from '../../shared/webhooks/manage.ts';
import { webhookStore } from '../../shared/webhooks/store.ts';

const ports = { addReplay, clock: systemClock, ids: newId };

export const handler = endpoint({
  line: 'replays/create',
  body: () => ({ root: 'replays', item: newReplay, max: 1 }),
  handle: async ({ id, items: [input], caller }) => {
    const webhook = await findWebhook(webhookStore, id<WebhookId>(), caller);
    const replay = await beginReplay(ports, webhook.id, input);
    try {
      await send('events', [{ body: { kind: 'replay', job_id: replay.id } satisfies ReplayMessage }]);
    } catch (error) {
      log.warn('A replay waits for the sweep, the events queue took no message', { error });
    }
    return accepted({ replays: [presentReplay(replay)] });
  },
});
