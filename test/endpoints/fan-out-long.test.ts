/** A fan-out to more subscribers than one run takes: the rest goes through the queue, and nobody is left out or told twice. */
import { BatchWriteItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { freshStack } from '../support/parts.ts';

const stack = await freshStack();

/** One run does ten pages of 500. */
const subscribers = 5002;

it('goes on in another run, and makes one delivery for each subscriber', async () => {
  const keys = await stack.seed();
  const webhook = { event: 'post.published', target_url: 'https://example.com/hook' };
  await stack.call('webhooks/create', {
    path: '/admin/webhooks/',
    body: { webhooks: [webhook] },
    key: keys.integration,
  });
  const { Items: [first = {}] = [] } = await stack.dynamodb.send(
    new QueryCommand({
      TableName: stack.tableName,
      KeyConditionExpression: 'pk = :event AND begins_with(sk, :subscriber)',
      ExpressionAttributeValues: { ':event': { S: 'EVENT#post.published' }, ':subscriber': { S: 'SUBSCRIBER#' } },
    }),
  );
  // Past the API: that many webhooks take a while to create.
  const others = Array.from({ length: subscribers - 1 }, (_, index) => ({
    ...first,
    sk: { S: `SUBSCRIBER#${index.toString(16).padStart(24, '0')}` },
    webhook_id: { S: index.toString(16).padStart(24, '0') },
  }));
  const batches = Array.from({ length: Math.ceil(others.length / 25) }, (_, at) => others.slice(at * 25, at * 25 + 25));
  await Promise.all(
    batches.map((items) =>
      stack.dynamodb.send(
        new BatchWriteItemCommand({
          RequestItems: { [stack.tableName]: items.map((Item) => ({ PutRequest: { Item } })) },
        }),
      ),
    ),
  );
  const event = { event: 'post.published', payload: { post: { current: {}, previous: {} } } };
  await stack.call('events/publish', { path: '/admin/events/', body: { events: [event] }, key: keys.integration });
  expect(await stack.drain('events')).toEqual({ succeeded: 2, failed: 0 });
  const sent = await stack.messages('slow-deliveries');
  expect(sent).toHaveLength(subscribers);
  expect(new Set(sent.map(({ body }) => body.webhook_id)).size).toBe(subscribers);
  expect(new Set(sent.map(({ body }) => body.delivery_id)).size).toBe(subscribers);
}, 60_000);
