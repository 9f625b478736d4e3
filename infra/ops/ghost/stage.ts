/** The Admin API of a stage, as far as the import uses it. */
import * as v from 'valibot';
import { ApiError, type Caller, call, deleted } from '../../command-line/client.ts';
import type { GhostWebhook } from './ghost-site.ts';

const webhook = v.object({ id: v.string(), event: v.string(), target_url: v.string(), status: v.string() });
const integration = v.object({
  id: v.string(),
  name: v.string(),
  description: v.nullable(v.string()),
  webhooks: v.optional(v.array(webhook), []),
});
export type StageIntegration = v.InferOutput<typeof integration>;
const page = v.object({
  integrations: v.array(integration),
  meta: v.optional(v.object({ pagination: v.object({ next: v.nullable(v.string()) }) })),
});
const secrets = v.object({ secrets: v.tuple([v.object({ secret: v.string() })]) });
const errors = v.object({
  errors: v.tuple([v.object({ message: v.string(), details: v.nullish(v.array(v.object({ field: v.string() }))) })]),
});
const relay = v.object({
  integration_id: v.string(),
  last_event_at: v.nullable(v.string()),
  events_per_day: v.number(),
  refused: v.array(v.object({ reason: v.string(), count: v.number(), last_at: v.string() })),
  silent_since: v.nullable(v.string()),
});
export type Relay = v.InferOutput<typeof relay>;

/** An id that no integration has: ids begin with their time. */
const noId = '0'.repeat(24);

export type Stage = ReturnType<typeof stageApi>;

/** Returns the API of a stage, called with the key of its Owner or an Administrator. Calls throw ApiError as `call` does. */
export const stageApi = (stage: Caller) => {
  const read = async (path: string): Promise<v.InferOutput<typeof page>> =>
    v.parse(page, await call(stage, 'GET', path));
  const pages = async (path: string): Promise<StageIntegration[]> => {
    const found: StageIntegration[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const answer: v.InferOutput<typeof page> = await read(`${path}${cursor === '' ? '' : `&cursor=${cursor}`}`);
      found.push(...answer.integrations);
      cursor = answer.meta?.pagination.next ?? null;
    }
    return found;
  };
  return {
    baseUrl: stage.baseUrl,
    /** @throws Error in a sentence: a key that the stage does not accept, or one of less than an Administrator */
    checkKey: async (): Promise<void> => {
      try {
        await call(stage, 'GET', '/admin/relays/');
      } catch (error) {
        if (!(error instanceof ApiError) || (error.status !== 401 && error.status !== 403)) throw error;
        throw new Error(
          `${stage.baseUrl} does not accept the key: MASTHEAD_KEY must be a key of the Owner or an Administrator of the stage.`,
        );
      }
    },
    /** Returns all integrations with all their webhooks: a list has at most 500 of each. */
    listIntegrations: async (): Promise<StageIntegration[]> => {
      const found = await pages('/admin/integrations/?include=webhooks&limit=100');
      const whole = found.map(async (one) => {
        if (one.webhooks.length < 500) return one;
        const all = await pages(`/admin/integrations/${one.id}/?include=webhooks`);
        return { ...one, webhooks: all.flatMap(({ webhooks }) => webhooks) };
      });
      return Promise.all(whole);
    },
    createIntegration: async (name: string, description: string): Promise<void> => {
      await call(stage, 'POST', '/admin/integrations/', { integrations: [{ name, description }] });
    },
    makeInboundSecret: async (id: string): Promise<string> =>
      v.parse(secrets, await call(stage, 'POST', `/admin/integrations/${id}/inbound_secret/`)).secrets[0].secret,
    deleteIntegration: (id: string): Promise<void> => deleted(call(stage, 'DELETE', `/admin/integrations/${id}/`)),
    deleteWebhook: (id: string): Promise<void> => deleted(call(stage, 'DELETE', `/admin/webhooks/${id}/`)),
    /** Creates a webhook; returns why it is refused, or undefined. */
    createWebhook: (original: GhostWebhook, integrationId: string): Promise<string | undefined> =>
      tryCreating(stage, original, integrationId),
    /** Asks whether the stage would accept a webhook, without creating one, by naming an integration that does not exist. Returns why not, or undefined. */
    wouldRefuse: (original: GhostWebhook): Promise<string | undefined> => tryCreating(stage, original, noId),
    readRelays: async (): Promise<Relay[]> =>
      v.parse(v.object({ relays: v.array(relay) }), await call(stage, 'GET', '/admin/relays/')).relays,
    /** Records the webhooks at Ghost that could move, by event: the overview and `ops doctor` show them. */
    recordUnmoved: async (id: string, webhooks: readonly GhostWebhook[]): Promise<void> => {
      const unmoved = [...Map.groupBy(webhooks, ({ event }) => event)].map(([event, { length: count }]) => ({
        event,
        count,
      }));
      await call(stage, 'PUT', `/admin/relays/${id}/`, { relays: [{ unmoved }] });
    },
  };
};

const tryCreating = async (
  stage: Caller,
  { event, target_url, name, secret, api_version }: GhostWebhook,
  integration_id: string,
): Promise<string | undefined> => {
  const item = { event, target_url, name, secret, integration_id, ...(api_version !== null && { api_version }) };
  try {
    await call(stage, 'POST', '/admin/webhooks/', { webhooks: [item] });
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 422) throw error;
    const { message, details } = v.parse(errors, JSON.parse(error.body)).errors[0];
    const isOther = details?.some(({ field }) => field !== 'integration_id') ?? true;
    return integration_id === noId && !isOther ? undefined : message;
  }
};
