/** `POST /admin/recoveries/`: sends what did not reach its receivers again, over all webhooks or some. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import * as example from '../../shared/deliveries/example.ts';
import { requestRecovery } from '../../shared/deliveries/replays/recoveries.ts';
import { recoveryResource } from '../../shared/deliveries/replays/resource.ts';
import { newRecovery } from '../../shared/deliveries/replays/schema.ts';
import { settings } from '../../shared/foundation/environment.ts';
import { type Documentation, forbidden, invalid, notFound } from '../../shared/http/documentation.ts';
import { webhooksOf } from '../../shared/integrations/visible-webhooks.ts';
import { findWebhook } from '../../shared/webhooks/find.ts';

export const handler = endpoint({
  line: 'recoveries/create',
  body: { root: 'recoveries', item: newRecovery, max: 1 },
  answer: { status: 202, root: 'recoveries', item: recoveryResource },
  handle: async ({ items: [input], caller, reply }) => {
    const { webhook_ids } = input;
    const webhooks =
      webhook_ids === undefined
        ? await webhooksOf(caller, undefined, 'webhook_ids')
        : await Promise.all(webhook_ids.map((id) => findWebhook(id, caller)));
    const ids = webhooks.map(({ id }) => id);
    return reply([await requestRecovery(ids, input, caller, settings().deliveries)]);
  },
});

export const documentation = (): Documentation => ({
  tag: 'Deliveries',
  summary: 'Recover deliveries of many webhooks',
  description:
    'Sends again what did not reach its receivers in a time range: deliveries that `failed`, are `held` or were ' +
    '`blocked`, and have not been sent again since; with `status`, those that have it, also `delivered` ones. ' +
    'Each webhook gets a replay of its own, at the pace of its receiver, so that none waits for another. ' +
    'With `dry_run` nothing is sent: the answer counts what would be. At most 1,000 webhooks; ' +
    'it counts as one replay in the hourly limit.',
  errors: [
    notFound('no webhook has one of `webhook_ids`'),
    forbidden('one of the webhooks belongs to another integration'),
    invalid('webhook_ids', 'it is missing, and the caller can see more than 1,000 webhooks'),
  ],
  examples: {
    'after-an-outage': {
      summary: 'What did not arrive during an outage',
      body: [{ since: '2026-11-20', until: '2026-11-21' }],
      answer: [example.recovery],
    },
    'dry-run': {
      summary: 'How many held deliveries of posts there are',
      body: [{ since: '2026-11-20', until: '2026-11-21', status: 'held', event: 'post.*', dry_run: true }],
      answer: [
        {
          ...example.recovery,
          id: null,
          status: 'held',
          event: 'post.*',
          progress: { checked: 1204, replayed: 0, percent: 100 },
          webhooks: 0,
        },
      ],
    },
  },
});
