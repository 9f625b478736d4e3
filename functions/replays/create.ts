/** `POST /admin/webhooks/{id}/replays/`: sends the deliveries of a time range again. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { presentReplay } from '../../shared/deliveries/replays/replay.ts';
import { requestReplay } from '../../shared/deliveries/replays/request.ts';
import { newReplay } from '../../shared/deliveries/replays/schema.ts';
import { settings } from '../../shared/foundation/environment.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { accepted } from '../../shared/http/response.ts';

export const handler = endpoint({
  line: 'replays/create',
  body: () => ({ root: 'replays', item: newReplay, max: 1 }),
  handle: async ({ id, items: [input], caller }) =>
    accepted({
      replays: [presentReplay(await requestReplay(id<WebhookId>(), input, caller, settings().deliveries))],
    }),
});
