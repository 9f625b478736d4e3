/** The Admin API of a Ghost site, as far as the import uses it. */
import * as v from 'valibot';
import { ApiError, type Caller, call, deleted } from '../../command-line/client.ts';

export const ghostWebhook = v.object({
  id: v.string(),
  event: v.string(),
  target_url: v.string(),
  name: v.nullish(v.string(), null),
  secret: v.nullish(v.string(), null),
  api_version: v.nullish(v.string(), null),
  integration_id: v.string(),
});
export type GhostWebhook = v.InferOutput<typeof ghostWebhook>;

const integration = v.object({ id: v.string(), name: v.string(), type: v.string() });
const withWebhooks = v.object({ ...integration.entries, webhooks: v.optional(v.array(ghostWebhook), []) });
export type GhostIntegration = v.InferOutput<typeof withWebhooks>;

const listed = v.object({
  integrations: v.array(withWebhooks),
  meta: v.object({ pagination: v.object({ next: v.nullable(v.number()) }) }),
});
const created = v.object({ integrations: v.tuple([integration]) });
const createdWebhook = v.object({ webhooks: v.tuple([ghostWebhook]) });

export type GhostSite = ReturnType<typeof ghostSite>;

/** Returns the API of a site; `key` is a staff access token of its Owner or an Administrator. Every call throws ApiError as `call` does. */
export const ghostSite = (url: string, key: string) => {
  const site: Caller = { baseUrl: `${url.replace(/\/+$/, '')}/ghost/api`, key };
  return {
    /** Returns the integrations that people make webhooks in; Ghost's own, of the type `core`, have none of theirs. */
    listIntegrations: async (): Promise<GhostIntegration[]> => {
      const found: GhostIntegration[] = [];
      for (let page: number | null = 1; page !== null; ) {
        const path: string = `/admin/integrations/?include=webhooks&limit=100&page=${page}`;
        const { integrations, meta }: v.InferOutput<typeof listed> = v.parse(listed, await call(site, 'GET', path));
        found.push(...integrations.filter(({ type }) => type === 'custom' || type === 'builtin'));
        page = meta.pagination.next;
      }
      return found;
    },
    createIntegration: async (name: string): Promise<string> =>
      v.parse(created, await call(site, 'POST', '/admin/integrations/', { integrations: [{ name }] })).integrations[0]
        .id,
    deleteIntegration: (id: string): Promise<void> => deleted(call(site, 'DELETE', `/admin/integrations/${id}/`)),
    createWebhook: async (webhook: Partial<GhostWebhook>): Promise<string> =>
      v.parse(createdWebhook, await call(site, 'POST', '/admin/webhooks/', { webhooks: [webhook] })).webhooks[0].id,
    /** Creates a webhook unless the site has one with this event and target already, for which Ghost returns 422. */
    restoreWebhook: async (webhook: Omit<GhostWebhook, 'id'>): Promise<void> => {
      await call(site, 'POST', '/admin/webhooks/', { webhooks: [webhook] }).catch((error: unknown) => {
        if (!(error instanceof ApiError) || error.status !== 422 || !error.body.includes('already been used'))
          throw error;
      });
    },
    deleteWebhook: (id: string): Promise<void> => deleted(call(site, 'DELETE', `/admin/webhooks/${id}/`)),
  };
};
