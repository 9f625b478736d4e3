/** `POST /admin/webhooks/{id}/replays/`: sends the deliveries of a time range again. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import * as example from '../../shared/deliveries/example.ts';
import { presentReplay } from '../../shared/deliveries/replays/replay.ts';
import { requestReplay } from '../../shared/deliveries/replays/request.ts';
import { replayResource } from '../../shared/deliveries/replays/resource.ts';
import { newReplay } from '../../shared/deliveries/replays/schema.ts';
import { settings } from '../../shared/foundation/environment.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { type Documentation, failure } from '../../shared/http/documentation.ts';
import { hook } from '../../shared/webhooks/example.ts';

export const handler = endpoint({
  line: 'replays/create',
  body: { root: 'replays', item: newReplay, max: 1 },
  answer: { status: 202, root: 'replays', item: replayResource },
  handle: async ({ id, items: [input], caller, reply }) =>
    reply([presentReplay(await requestReplay(id<WebhookId>(), input, caller, settings().deliveries))]),
});

export const documentation = (): Documentation => ({
  tag: 'Deliveries',
  summary: 'Replay a time range',
  description:
    'Redelivers the events of a time range: all deliveries that have ended or, with `status`, some of them, such as ' +
    'those `held` while the webhook was disabled. Earlier redeliveries, replays and pings are left out, and so are ' +
    'events that the webhook no longer subscribes to. A long replay is sent in chunks, as fast as the receiver ' +
    'responds. One replay runs per webhook, and each staff member or integration can request 30 per hour (a ' +
    'setting of the stage); beyond that, 429 with `Retry-After`.',
  errors: [failure('ValidationError', 'a replay of this webhook is running; `details` has its id')],
  examples: {
    failed: {
      summary: 'The failed deliveries of one day',
      path: { id: hook.id },
      body: [{ since: '2026-11-20', until: '2026-11-21', status: 'failed' }],
      answer: [example.replay],
    },
  },
});
