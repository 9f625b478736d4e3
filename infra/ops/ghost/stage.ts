/** The Admin API of a stage, as far as the import uses it. */
import * as v from 'valibot';
import {
  type MoveChanges,
  type MoveResource,
  moveResource,
  originalSecret,
} from '../../../shared/integrations/move/resource.ts';
import { ApiError, type Caller, call, deleted } from '../../command-line/client.ts';
import type { GhostWebhook } from './ghost-site.ts';

const webhook = v.object({
  id: v.string(),
  event: v.string(),
  target_url: v.string(),
  name: v.nullable(v.string()),
  api_version: v.string(),
  status: v.string(),
  last_triggered_at: v.nullable(v.string()),
  last_triggered_status: v.nullable(v.string()),
  last_triggered_error: v.nullable(v.string()),
});
export type StageWebhook = v.InferOutput<typeof webhook>;
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
  errors: v.tuple([
    v.object({
      message: v.string(),
      help: v.nullish(v.string()),
      property: v.nullish(v.string()),
      details: v.nullish(v.array(v.object({ field: v.string() }))),
    }),
  ]),
});
const relay = v.object({
  integration_id: v.string(),
  last_event_at: v.nullable(v.string()),
  events_per_day: v.number(),
  refused: v.array(v.object({ reason: v.string(), count: v.number(), last_at: v.string() })),
  silent_since: v.nullable(v.string()),
});
export type Relay = v.InferOutput<typeof relay>;

export type { MoveChanges, MoveResource };
/** A newer stage may have further fields. */
export const moveSchema = v.object(moveResource.entries);
const moves = v.object({ moves: v.tuple([moveSchema]) });
const moveIn = (answer: unknown): MoveResource => v.parse(moves, answer).moves[0];
const originalSecrets = v.object({ secrets: v.array(originalSecret) });
const deliveries = v.object({ deliveries: v.array(v.unknown()) });

const refusalIn = (error: ApiError) => v.parse(errors, JSON.parse(error.body)).errors[0];
const inSentences = (error: ApiError): Error => {
  const { message, help } = refusalIn(error);
  return new Error(`${message} ${help ?? ''}`.trim());
};

/** The id of a webhook that was created, or the reason why it was not. */
export type Created = { readonly id?: string; readonly refusal?: string };
const createdWebhook = v.object({ webhooks: v.tuple([v.object({ id: v.string() })]) });

/** An id that no integration has: ids begin with their time. */
const noId = '0'.repeat(24);

/** A stage has at most 10,000 webhooks, and a page 100 integrations or webhooks. */
const maxPages = 100;

export type Stage = ReturnType<typeof stageApi>;

/** Returns a stage's API, called with the key of its Owner or an Administrator. Calls throw ApiError as `call` does. */
export const stageApi = (stage: Caller) => {
  const read = async (path: string): Promise<v.InferOutput<typeof page>> =>
    v.parse(page, await call(stage, 'GET', path));
  const pages = async (path: string): Promise<StageIntegration[]> => {
    const found: StageIntegration[] = [];
    let cursor: string | null = '';
    for (let count = 0; cursor !== null; count++) {
      if (count === maxPages) throw new Error(`${stage.baseUrl}${path} has more than ${maxPages} pages.`);
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
          `${stage.baseUrl} does not accept the key: MASTHEAD_KEY must be a key of the Owner or an Administrator ` +
            'of the stage.',
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
    createIntegration: async (name: string, description: string): Promise<string> => {
      const answer = await call(stage, 'POST', '/admin/integrations/', { integrations: [{ name, description }] });
      return v.parse(page, answer).integrations[0]?.id ?? '';
    },
    makeInboundSecret: async (id: string): Promise<string> =>
      v.parse(secrets, await call(stage, 'POST', `/admin/integrations/${id}/inbound_secret/`)).secrets[0].secret,
    deleteIntegration: (id: string): Promise<void> => deleted(call(stage, 'DELETE', `/admin/integrations/${id}/`)),
    deleteWebhook: (id: string): Promise<void> => deleted(call(stage, 'DELETE', `/admin/webhooks/${id}/`)),
    /** Creates a webhook; returns its id, or why it is refused. */
    createWebhook: (original: GhostWebhook, integrationId: string): Promise<Created> =>
      tryCreating(stage, original, integrationId),
    /** Asks whether the stage would accept a webhook, by naming an unknown integration. Returns why not, if so. */
    wouldRefuse: async (original: GhostWebhook): Promise<string | undefined> =>
      (await tryCreating(stage, original, noId)).refusal,
    /** Returns the record of a site's move; undefined if there is none. @throws Error if the stage has another site */
    readMove: async (site: string): Promise<MoveResource | undefined> => {
      try {
        return moveIn(await call(stage, 'GET', `/admin/moves/${site}/`));
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 404) throw error;
        if (refusalIn(error).property === 'site') throw inSentences(error);
        return undefined;
      }
    },
    /** @throws Error in a sentence if another run has changed the record */
    changeMove: async (site: string, changes: MoveChanges): Promise<MoveResource> => {
      try {
        return moveIn(await call(stage, 'PUT', `/admin/moves/${site}/`, { moves: [changes] }));
      } catch (error) {
        throw error instanceof ApiError && (error.status === 409 || error.status === 422) ? inSentences(error) : error;
      }
    },
    deleteMove: (site: string): Promise<void> => deleted(call(stage, 'DELETE', `/admin/moves/${site}/`)),
    /** Returns the secrets of the originals by their ids; the Owner gets a mail. */
    readSecrets: async (site: string): Promise<ReadonlyMap<string, string>> => {
      const answer = await call(stage, 'POST', `/admin/moves/${site}/secrets/`);
      return new Map(v.parse(originalSecrets, answer).secrets.map(({ id, secret }) => [id, secret]));
    },
    /** Counts the deliveries of a webhook that wait, up to 100 of each status. */
    countWaiting: async (id: string): Promise<number> => {
      const counts = ['pending', 'retrying', 'held'].map(async (status) => {
        const path = `/admin/webhooks/${id}/deliveries/?status=${status}&limit=100`;
        return v.parse(deliveries, await call(stage, 'GET', path)).deliveries.length;
      });
      return (await Promise.all(counts)).reduce((total, count) => total + count, 0);
    },
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
): Promise<Created> => {
  const item = { event, target_url, name, secret, integration_id, ...(api_version !== null && { api_version }) };
  try {
    return {
      id: v.parse(createdWebhook, await call(stage, 'POST', '/admin/webhooks/', { webhooks: [item] })).webhooks[0].id,
    };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 422) throw error;
    const { message, details } = refusalIn(error);
    const isOther = details?.some(({ field }) => field !== 'integration_id') ?? true;
    return integration_id === noId && !isOther ? {} : { refusal: message };
  }
};
