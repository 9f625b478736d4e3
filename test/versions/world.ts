/** What the stories of two releases need: receivers, the tools of other tests, and a clock of their own. */
import { BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { Webhook } from 'standardwebhooks';
import { expect, vi } from 'vitest';
import { deliveryTools, type Publication } from '../support/deliveries.ts';
import { inviting } from '../support/invites.ts';
import type { SeededKeys } from '../support/parts.ts';
import { type Delivery, receiveWebhooks } from '../support/parts-receiver.ts';
import { webhookCalls } from '../support/webhooks.ts';
import type { TwoReleases } from './releases.ts';

/** Lets one of the two releases do what follows. */
export interface Turns {
  first(): Promise<void>;
  second(): Promise<void>;
}

/** Something that two releases do in turns. */
export interface Story {
  /** With `A` for the first release and `B` for the second one. */
  readonly title: string;
  play(turns: Turns): Promise<void>;
}

/** Advances the test's clock by a number of ms. */
export const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);

/** Returns whether the Standard Webhooks library accepts the signature of a delivery. */
export const isSignedWith = (secret: string, { body, headers }: Delivery): boolean => {
  try {
    const key = secret.startsWith('whsec_') ? secret : Buffer.from(secret).toString('base64');
    new Webhook(key).verify(body, { ...headers });
    return true;
  } catch {
    return false;
  }
};

/** Makes the world of one test file. */
export const makeWorld = async ({ stack }: TwoReleases, keys: SeededKeys) => {
  const tools = deliveryTools(stack, keys);
  const answers = new Map<string, { readonly status?: number; readonly headers?: Record<string, string> }>();
  const receiver = await receiveWebhooks((response, { path }) => {
    const { status = 200, headers = {} } = answers.get(path) ?? {};
    response.writeHead(status, headers).end();
  });
  let paths = 0;
  const newTarget = () => {
    const path = `/${paths++}`;
    return { path, url: `${receiver.origin}${path}` };
  };
  return {
    stack,
    keys,
    tools,
    webhooks: webhookCalls(stack),
    invites: await inviting(stack, keys),
    /** How the receiver answers at a path; 200 unless it is set. */
    answers,
    newTarget,
    arrivals: (path: string): readonly Delivery[] => receiver.deliveries.filter((delivery) => delivery.path === path),
    close: () => receiver.close(),
    /** Puts items past the functions. */
    async putAll(items: readonly Record<string, unknown>[]): Promise<void> {
      for (let start = 0; start < items.length; start += 25) {
        const requests = items.slice(start, start + 25).map((item) => ({ PutRequest: { Item: marshall(item) } }));
        await stack.dynamodb.send(new BatchWriteItemCommand({ RequestItems: { [stack.tableName]: requests } }));
      }
    },
    /** Creates a webhook of the first integration at a path of its own. */
    async hook(fields: object = {}) {
      const { path, url } = newTarget();
      const { id } = await tools.webhook(url, fields);
      return { id, path };
    },
    async publish(event?: string, options?: Publication): Promise<void> {
      expect((await tools.publish(event, options)).status).toBe(202);
    },
    /** Works on a queue until it is empty. No message may fail. */
    async drain(queue: Parameters<typeof stack.drain>[0]): Promise<void> {
      const { failed } = await stack.drain(queue);
      expect(failed, `messages of the queue ${queue} that failed`).toBe(0);
    },
    /** Returns the message of a new event for this webhook, with its queue. */
    async messageFor(id: string) {
      const message = (await tools.messagesFor()).find(({ webhook_id }) => webhook_id === id);
      if (message === undefined) throw new Error(`Fan-out sent nothing to the webhook ${id}.`);
      return message;
    },
    /** Returns the webhook's deliveries as a client reads them, newest first. */
    async logOf(id: string) {
      const path = `/admin/webhooks/${id}/deliveries/`;
      return (await stack.call('deliveries/list', { path, key: keys.integration })).body.deliveries;
    },
  };
};

export type TestWorld = Awaited<ReturnType<typeof makeWorld>>;
