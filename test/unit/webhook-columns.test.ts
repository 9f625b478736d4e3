/** The command line shows a webhook completely: a new field of the schema needs a column. */
import { expect, it } from 'vitest';
import { fields } from '../../infra/ops/webhooks/columns.ts';
import { webhookResource } from '../../shared/webhooks/webhook.ts';
import { failingWebhook } from '../support/notice.ts';

it('webhooks show prints every field, except the secret and the time of the last update', () => {
  const read = new Set<string>();
  const watched = new Proxy(failingWebhook(), {
    get: (target, name) => {
      read.add(String(name));
      return Reflect.get(target, name);
    },
  });
  for (const column of Object.values(fields)) column(watched);
  const shown = Object.keys(webhookResource.entries).filter((name) => name !== 'secret' && name !== 'updated_at');
  expect([...read].sort()).toEqual(shown.sort());
});
