/** Fills a running stack with what a stage has after a while, so that no view of the console is empty. */
import { createHmac } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { eventually } from '../support/eventual.ts';
import type { RunningStack } from '../support/parts-running-stack.ts';

export interface FilledStage {
  readonly integration: string;
  readonly webhook: string;
  readonly failing: string;
  readonly delivery: string;
}

/** Invites people, adds webhooks, publishes events, connects a Ghost site, and leaves bounces and dead letters. */
export const fillStage = async (running: RunningStack): Promise<FilledStage> => {
  const { adminKey: key, receiver } = running.stack;
  const call = async (method: string, path: string, body?: object) => {
    const answer = await running.call(method, path, { key, body });
    if (answer.status >= 400) throw new Error(`${method} ${path} was answered with ${answer.status}: ${answer.text}`);
    return answer.body;
  };
  const { roles } = await call('GET', '/admin/roles/');
  const roleId = (name: string): string => roles.find((role: { name: string }) => role.name === name).id;
  const invites = [
    ['ada@example.org', 'Editor'],
    ['grace@example.org', 'Author'],
    ['hedy@example.org', 'Contributor'],
  ].map(([email, role = '']) => ({ email, role_id: roleId(role) }));
  const invited = await call('POST', '/admin/invites/', { invites });

  const item = { name: 'Bookshop', description: 'Sells what we review', contact_email: 'ops@bookshop.example' };
  const { integrations } = await call('POST', '/admin/integrations/', { integrations: [item] });
  const [{ id: integration }] = integrations;
  const addWebhook = async (name: string, event: string, target_url = `${receiver}/${event}`): Promise<string> => {
    const webhook = { name, event, target_url, integration_id: integration };
    return (await call('POST', '/admin/webhooks/', { webhooks: [webhook] })).webhooks[0].id;
  };
  const webhook = await addWebhook('Shelf', 'post.published');
  await addWebhook('Search index', 'post.published.edited');
  // A port at which no server listens.
  const failing = await addWebhook('Old newsletter', 'page.published', 'http://127.0.0.1:9/newsletter');
  const paused = await addWebhook('Mirror', 'page.edited');
  await call('POST', `/admin/webhooks/${paused}/disable/`);

  const publish = (event: string, resource: string, titles: readonly string[]) =>
    call('POST', '/admin/events/', {
      events: titles.map((title) => ({ event, payload: { [resource]: { current: { title }, previous: {} } } })),
    });
  await publish('post.published', 'post', ['On analytical engines', 'Compilers', 'Frequency hopping']);
  await publish('post.published.edited', 'post', ['Compilers, corrected']);
  await publish('page.published', 'page', ['About us', 'Imprint']);
  await publish('page.edited', 'page', ['About us']);
  const delivery = await eventually('a delivery', async () => {
    const { deliveries } = await call('GET', '/admin/deliveries/?status=delivered');
    return deliveries.length < 4
      ? undefined
      : deliveries.find(({ webhook_id }: { webhook_id: string }) => webhook_id === webhook)?.id;
  });
  const ghost = await call('POST', '/admin/integrations/', { integrations: [{ name: 'Ghost blog.example' }] });
  const { id: relay } = ghost.integrations[0];
  const { secrets } = await call('POST', `/admin/integrations/${relay}/inbound_secret/`);
  for (const secret of [secrets[0].secret, 'an old secret']) await publishFromGhost(running, relay, secret);
  const options = {
    description: 'For the shelf of new books',
    headers: { 'X-Team': 'books' },
    filter: { post: { current: { title: [{ 'anything-but': 'Compilers' }] } } },
  };
  await call('PUT', `/admin/webhooks/${webhook}/options/`, { options: [options] });
  await breakSomething(running, invited.invites[2].id);
  return { integration, webhook, failing, delivery };
};

/** Sends an event as the Ghost site of an integration does, which signs it with this secret. */
export const publishFromGhost = async ({ stack }: RunningStack, integration: string, secret: string): Promise<void> => {
  const body = JSON.stringify({ tag: { current: { id: 'a'.repeat(24), name: 'News' }, previous: {} } });
  const at = Date.now();
  const signature = createHmac('sha256', secret).update(`${body}${at}`).digest('hex');
  await fetch(`${stack.baseUrl}/inbound/ghost/${integration}/tag.added/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Ghost-Signature': `sha256=${signature}, t=${at}` },
    body,
  });
};

/** Lets an invitation bounce, which SES would report, and puts dead letters into a queue. */
const breakSomething = async ({ stack }: RunningStack, invite: string): Promise<void> => {
  const { endpoint, region, ...credentials } = stack.aws;
  const sqs = new SQSClient({ endpoint, region, credentials, useQueueUrlAsEndpoint: false });
  const QueueUrl = `${stack.queues.events}-dead`;
  for (const MessageBody of ['{}', '{}']) await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody }));
  sqs.destroy();
  const table = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region, credentials }));
  await table.send(
    new UpdateCommand({
      TableName: stack.table,
      Key: { pk: 'INVITES', sk: `INVITE#${invite}` },
      UpdateExpression: 'SET #status = :status, #history = list_append(#history, :step)',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeNames: { '#status': 'status', '#history': 'history' },
      ExpressionAttributeValues: {
        ':status': 'bounced',
        ':step': [{ status: 'bounced', at: new Date().toISOString(), reason: 'Permanent: General' }],
      },
    }),
  );
  table.destroy();
};

/** The views of the console by name, as addresses after the `#`. */
export const addressesOf = ({ integration, webhook, failing, delivery }: FilledStage) => ({
  overview: '#/overview',
  webhooks: '#/webhooks',
  webhook: `#/webhooks/${webhook}`,
  'failing-webhook': `#/webhooks/${failing}`,
  'edit-webhook': `#/webhooks/${webhook}/edit`,
  'new-webhook': '#/webhooks/new',
  deliveries: '#/deliveries',
  delivery: `#/deliveries/${webhook}/${delivery}`,
  members: '#/staff/members',
  invitations: '#/staff/invitations',
  invite: '#/staff/invitations/new',
  access: '#/staff/access',
  audit: '#/staff/audit',
  integrations: '#/integrations',
  integration: `#/integrations/${integration}`,
  'new-integration': '#/integrations/new',
});
