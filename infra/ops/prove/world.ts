/** Makes what the questions of `ops prove` need: an integration with two webhooks. All of it is removed again. */
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { GetQueueAttributesCommand, GetQueueUrlCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { physicalName } from '../../cdk/names.ts';
import type { StageConfig } from '../../cdk/stage.ts';
import { adminToken } from '../../command-line/admin-token.ts';
import type { Caller } from '../../command-line/client.ts';
import { clientOf, redriveStage } from '../redrive/redrive-stage.ts';
import type { Account, ApiRequest, ApiResponse, DeadLetters, World } from './question.ts';

const integrations = v.object({
  integrations: v.tuple([v.object({ id: v.string(), api_keys: v.array(v.object({ secret: v.string() })) })]),
});
const webhooks = v.object({ webhooks: v.tuple([v.object({ id: v.string() })]) });
const secrets = v.object({ secrets: v.tuple([v.object({ secret: v.string() })]) });

export interface OpenWorld extends World {
  /** Removes what was made, the last first. @throws Error that names what stays */
  readonly close: () => Promise<void>;
  readonly requests: () => number;
}

/** Opens the world of a stage, even if it does not answer. @throws Error if something else than the API answers */
export const openWorld = async (
  config: StageConfig,
  { baseUrl, key }: Caller,
  account: Account | undefined,
): Promise<OpenWorld> => {
  let own: string | undefined;
  let requests = 0;
  const undo: string[] = [];
  const send = async ({ method, path, as, headers = {}, body }: ApiRequest): Promise<ApiResponse> => {
    const signer = as === 'owner' ? key : as === 'integration' ? own : undefined;
    const began = performance.now();
    requests++;
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { ...headers, ...(signer !== undefined && { Authorization: `Ghost ${adminToken(signer)}` }) },
      ...(body !== undefined && { body: body as NonNullable<RequestInit['body']> }),
    });
    const text = await response.text();
    return { status: response.status, body: parsed(text), ms: performance.now() - began };
  };
  const post = (path: string, as: 'owner' | 'integration', body?: object) =>
    send({
      method: 'POST',
      path,
      as,
      ...(body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    });

  const make = async (): Promise<Pick<World, 'made' | 'failure'>> => {
    const name = `prove-${randomBytes(4).toString('hex')}`;
    const body = { integrations: [{ name, can_publish: true }] };
    const created = await post('/admin/integrations/', 'owner', body).catch(() => undefined);
    if (created?.status !== 201) return { made: undefined, ...(created && { failure: created }) };
    const [{ id, api_keys }] = v.parse(integrations, created.body).integrations;
    own = api_keys[0]?.secret;
    undo.push(`/admin/integrations/${id}/`);
    const hook = async (event: string) => {
      const target_url = `${baseUrl}/${name}/${event}/`;
      const answer = await post('/admin/webhooks/', 'integration', { webhooks: [{ event, target_url }] });
      const { id: webhook } = v.parse(webhooks, answer.body).webhooks[0];
      // Before the integration, whose deletion takes its webhooks later.
      undo.push(`/admin/webhooks/${webhook}/`);
      return webhook;
    };
    const [busyWebhook, webhook] = [await hook('page.added'), await hook('tag.added')];
    const answer = await post(`/admin/integrations/${id}/inbound_secret/`, 'owner');
    const inboundSecret = v.parse(secrets, answer.body).secrets[0].secret;
    return { made: { integrationId: id, busyWebhook, webhook, inboundSecret } };
  };

  const close = async () => {
    const kept: string[] = [];
    for (const path of undo.splice(0).reverse()) {
      const { status } = await send({ method: 'DELETE', path, as: 'owner' }).catch(() => ({ status: 0 }));
      if (status !== 204 && status !== 404) kept.push(path);
    }
    if (kept.length > 0) throw new Error(`These were not removed: ${kept.join(', ')}`);
  };
  const found = await make().catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    config,
    send,
    ...found,
    deadLetters: deadLettersOf(config),
    account,
    now: Date.now,
    wait: (ms) => wait(ms),
    removeLater: (path) => undo.push(path),
    close,
    requests: () => requests,
  };
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const deadLettersOf = (config: StageConfig): DeadLetters => {
  const client = clientOf(config);
  const url = async () => {
    const { QueueUrl } = await client.send(
      new GetQueueUrlCommand({ QueueName: physicalName(config, 'replays', 'dead') }),
    );
    return QueueUrl;
  };
  return {
    async count() {
      const { Attributes } = await client.send(
        new GetQueueAttributesCommand({ QueueUrl: await url(), AttributeNames: ['ApproximateNumberOfMessages'] }),
      );
      return Number(Attributes?.ApproximateNumberOfMessages);
    },
    async add(text) {
      await client.send(new SendMessageCommand({ QueueUrl: await url(), MessageBody: text }));
    },
    redrive: () => redriveStage(config, 'replays', () => undefined),
  };
};
