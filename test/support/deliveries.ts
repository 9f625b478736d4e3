/** Tools for tests of the delivery engine: create a webhook, publish an event, deliver it, read the table. */
import { BatchWriteItemCommand, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { type Delivery, messageOf } from '../../shared/deliveries/delivery.ts';
import { unpack } from '../../shared/deliveries/records/messages.ts';
import { deliveryOf } from '../../shared/deliveries/records/row.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import type { Key } from '../../shared/table/table-key.ts';
import { webhookKey } from '../../shared/webhooks/table-keys.ts';
import type { FreshStack, SeededKeys, TestResponse } from './parts.ts';
import { type ExistingWebhook, webhookCalls } from './webhooks.ts';

export interface DeliveryTools {
  /** Creates a webhook of the first integration. Default: for `post.published`. */
  webhook(target_url: string, fields?: object): Promise<ExistingWebhook>;
  publish(event?: string, options?: Publication): Promise<TestResponse>;
  /** Publishes and fans out an event; returns the messages of its deliveries, taken from both lanes. */
  messagesFor(event?: string): Promise<readonly DeliveryBody[]>;
  /** Processes one message as a batch; returns the message of the retry, if there is one, with its delay in seconds. */
  attempt(body: DeliveryBody, lane?: 'deliveries' | 'slow-deliveries'): Promise<NextAttempt | undefined>;
  /** Returns the message for the next step of a message's delivery, as the sweep would send it. */
  next(body: DeliveryBody): Promise<DeliveryBody>;
  /** Publishes, fans out and delivers an event, without retries; returns the event's id. */
  deliver(event?: string, options?: Publication): Promise<string>;
  /** Reads the webhook's deliveries from the table, oldest first. */
  rows(webhookId: string): Promise<readonly Row[]>;
  row(webhookId: string): Promise<Row>;
  /** Reads the webhook's record; undefined if it was deleted. */
  record(webhookId: string): Promise<Record<string, unknown> | undefined>;
  /** Changes an item directly, to a state that would take days or a broken function; undefined removes an attribute. */
  tamper(key: Key, attributes: Readonly<Record<string, unknown>>): Promise<void>;
  /** Puts whole items, in batches: hundreds of them would take seconds one by one. */
  put(items: readonly (Key & object)[]): Promise<void>;
  items(pk: string): Promise<readonly Record<string, unknown>[]>;
}

export interface Publication {
  readonly id?: string;
  readonly title?: string;
  readonly key?: string;
}

export type Row = Delivery & { readonly due?: string; readonly due_at?: string };

export interface DeliveryBody {
  readonly delivery_id: string;
  readonly webhook_id: string;
  readonly body_hash: string;
  readonly event_id: string;
  readonly attempt: number;
  readonly waits: number;
  readonly next_attempt_at?: string | undefined;
  readonly payload?: string | undefined;
}

export interface NextAttempt {
  readonly body: DeliveryBody;
  readonly delaySeconds: number;
}

/** The events of a request cannot be stored, so they go through the events queue. */
export const unstorable = { fault: 'error', function: 'events/publish', action: 'PutItem' } as const;

/** Publishes events that cannot be stored, so that they go through the events queue as a whole. */
export const throughTheQueue = async <T>({ faults }: FreshStack, act: () => Promise<T>): Promise<T> => {
  faults.set({ faults: [unstorable] });
  const { random } = Math;
  // The SDK waits between its attempts.
  Math.random = () => 0;
  try {
    return await act();
  } finally {
    Math.random = random;
    faults.set({ faults: [] });
  }
};

/** Returns the tools for one test file. */
export const deliveryTools = (stack: FreshStack, keys: SeededKeys): DeliveryTools => {
  const calls = webhookCalls(stack);
  const items = async (pk: string) => {
    const { Items = [] } = await stack.dynamodb.send(
      new QueryCommand({
        TableName: stack.tableName,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: pk } },
      }),
    );
    return Items.map((item) => unmarshall(item));
  };
  const tools: DeliveryTools = {
    webhook: (target_url, fields = {}) =>
      calls.existing(keys.integration, { event: 'post.published', target_url, ...fields }),
    publish(event = 'post.published', { id, title = 'Hello', key = keys.integration } = {}) {
      const resource = event.split('.')[0] ?? '';
      const payload = event === 'site.changed' ? {} : { [resource]: { current: { title }, previous: {} } };
      return stack.call('events/publish', {
        path: '/admin/events/',
        key,
        body: { events: [{ ...(id !== undefined && { id }), event, payload }] },
      });
    },
    async messagesFor(event) {
      const answer = await tools.publish(event);
      if (answer.status !== 202) throw new Error(`The event was not accepted: ${answer.text}`);
      await stack.drain('events');
      const sent = [...(await stack.take('deliveries')), ...(await stack.take('slow-deliveries'))];
      const [{ id }] = answer.body.events;
      return sent.flatMap(({ body }) => unpack(body)).filter(({ event_id }) => event_id === id);
    },
    async attempt(body, lane = 'slow-deliveries') {
      const failures = await stack.work(lane, [body]);
      if (failures.length > 0) throw new Error('The message failed.');
      const [next, ...others] = await stack.take('slow-deliveries');
      if (others.length > 0) throw new Error(`${others.length + 1} messages follow one.`);
      return next;
    },
    async next({ webhook_id, delivery_id }) {
      const found = (await tools.rows(webhook_id)).find(({ id }) => id === delivery_id);
      if (found === undefined) throw new Error('The delivery has no row.');
      return messageOf(found);
    },
    async deliver(event, options) {
      const answer = await tools.publish(event, options);
      if (answer.status !== 202) throw new Error(`The event was not accepted: ${answer.text}`);
      await stack.drain('events');
      await stack.drain('deliveries');
      await stack.drain('slow-deliveries');
      return answer.body.events[0].id;
    },
    async rows(webhookId) {
      return (await items(`WEBHOOK#${webhookId}`)).flatMap((item): Row[] => {
        const { pk, sk, due, due_at } = item as unknown as Row & Key;
        if (!sk.startsWith('DELIVERY#')) return [];
        return [{ pk, sk, ...deliveryOf(item), ...(due && { due }), ...(due_at && { due_at }) } as Row];
      });
    },
    async row(webhookId) {
      const [row, ...others] = await tools.rows(webhookId);
      if (row === undefined || others.length > 0) throw new Error(`${others.length + (row ? 1 : 0)} deliveries`);
      return row;
    },
    async record(webhookId) {
      const { pk, sk } = webhookKey(webhookId as WebhookId);
      return (await items(pk)).find((item) => item.sk === sk);
    },
    async tamper({ pk, sk }, attributes) {
      const [item] = (await items(pk)).filter((candidate) => candidate.sk === sk);
      const Item = marshall({ ...item, pk, sk, ...attributes }, { removeUndefinedValues: true });
      await stack.dynamodb.send(new PutItemCommand({ TableName: stack.tableName, Item }));
    },
    async put(wanted) {
      for (let start = 0; start < wanted.length; start += 25) {
        const batch = wanted.slice(start, start + 25).map((item) => ({
          PutRequest: { Item: marshall(item, { removeUndefinedValues: true }) },
        }));
        await stack.dynamodb.send(new BatchWriteItemCommand({ RequestItems: { [stack.tableName]: batch } }));
      }
    },
    items,
  };
  return tools;
};
