/** Dead letters of each queue: no message that a function sends contains a secret, so no dead letter does either. */
import { randomBytes } from 'node:crypto';
import { ReceiveMessageCommand, SetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { expect, it } from 'vitest';
import type { QueueName } from '../../shared/contract.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { webhookKey } from '../../shared/webhooks/table-keys.ts';
import { deliveryTools, throughTheQueue } from '../support/deliveries.ts';
import { formsOf } from '../support/forms-of-a-secret.ts';
import { inviting, newAddress } from '../support/invites.ts';
import { freshStack } from '../support/parts.ts';
import { queueDefinitions } from '../support/parts-schema.ts';
import { stopTime } from '../support/test-time.ts';

const { pass } = stopTime();
const stack = await freshStack();
const keys = await stack.seed();
const { inviteAndMail, inviteOne } = await inviting(stack, keys);
const { publish, tamper, webhook } = deliveryTools(stack, keys);

const sqs = new SQSClient({ endpoint: stack.parts.sqs, useQueueUrlAsEndpoint: false });

const hour = 3_600_000;
const random = () => randomBytes(24).toString('base64url');
const path = (id: string, rest: string) => `/admin/webhooks/${id}/${rest}/`;
const replay = (id: string) =>
  stack.call('replays/create', {
    path: path(id, 'replays'),
    key: keys.owner,
    body: {
      replays: [{ since: new Date(Date.now() - hour).toISOString(), until: new Date(Date.now() + hour).toISOString() }],
    },
  });

const sendAll = async (): Promise<readonly string[]> => {
  const secrets = [...Object.values(keys.staff), keys.integration, keys.otherIntegration].map(
    (key) => key.split(':')[1] ?? '',
  );
  const secret = <Text extends string>(text: Text): Text => {
    secrets.push(text);
    return text;
  };
  const newWebhook = () =>
    webhook(`http://127.0.0.1:9/${secret(random())}`, {
      secret: secret(`whsec_${randomBytes(32).toString('base64')}`),
    });
  const [first, second] = [await newWebhook(), await newWebhook()];
  const rotated = await stack.call('webhooks/rotate-secret', { path: path(first.id, 'secret'), key: keys.owner });
  secret(rotated.body.secrets[0].secret);
  await tamper(webhookKey(second.id as WebhookId), { health: { slow_until: Date.now() + 60_000, slowings: 1 } });
  await publish();
  // The slow webhook's delivery changes the lane.
  await stack.work(
    'deliveries',
    (await stack.messages('deliveries')).map(({ body }) => body),
  );
  await throughTheQueue(stack, () => publish());
  await replay(first.id);
  secret((await inviteAndMail(newAddress())).token.slice(24));
  await inviteOne(newAddress());
  // A deletion that takes longer than its request continues in the deletions queue.
  const made = await stack.call('integrations/create', {
    path: '/admin/integrations/',
    key: keys.owner,
    body: { integrations: [{ name: 'Gone' }] },
  });
  const [{ id, api_keys }] = made.body.integrations;
  secret(api_keys[0].secret.split(':')[1]);
  const inbound = await stack.call('integrations/replace-inbound-secret', {
    path: `/admin/integrations/${id}/inbound_secret/`,
    key: keys.owner,
  });
  secret(inbound.body.secrets[0].secret);
  stack.faults.set({ faults: [{ fault: 'kill', function: 'integrations/delete', action: 'DeleteItem', after: true }] });
  await stack
    .call('integrations/delete', { path: `/admin/integrations/${id}/`, key: keys.owner })
    .catch((error: Error) => expect(error.name).toBe('InvocationKilled'));
  stack.faults.set({ faults: [] });
  pass(2 * 60_000);
  await stack.invoke('due/sweep', {});
  return secrets;
};

/** Receives a queue's messages as often as its workers may fail; then SQS moves them to the dead-letter queue. */
const letDie = async (queue: QueueName): Promise<void> => {
  const QueueUrl = stack.queueUrl(queue);
  const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: `${stack.queueArn(queue)}-dead`, maxReceiveCount: 1 });
  await sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { RedrivePolicy } }));
  for (let receive = 0; receive < 2; receive++)
    await sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 0 }));
};

it('dead letters contain no key, token or secret of a webhook, an invitation or a Ghost site', async () => {
  const secrets = await sendAll();
  expect(secrets.filter((secret) => secret.length < 24)).toEqual([]);
  for (const { queue } of queueDefinitions) {
    await letDie(queue);
    const letters = Buffer.from(JSON.stringify(await stack.deadMessages(queue)));
    expect(letters.length, `no message of ${queue} is a dead letter`).toBeGreaterThan(2);
    expect(secrets.filter((secret) => formsOf(secret).some((form) => letters.includes(form)))).toEqual([]);
  }
});
