/** The Admin API of a stage, as far as the import uses it. */
import * as v from 'valibot';
import { ApiError, type Caller, call, deleted } from '../../command-line/client.ts';
import type { GhostWebhook } from './ghost-site.ts';

const withId = v.object({ id: v.string() });
const integrations = v.object({ integrations: v.tuple([withId]) });
const webhooks = v.object({ webhooks: v.tuple([withId]) });
const secrets = v.object({ secrets: v.tuple([v.object({ secret: v.string() })]) });
const errors = v.object({ errors: v.tuple([v.object({ message: v.string() })]) });

export type Stage = ReturnType<typeof stageApi>;

/** A webhook that was created, or the reason why it was not. */
export type Created = { readonly id: string } | { readonly refused: string };

/** Returns the API of a stage, called with the key of its Owner or an Administrator. Calls throw ApiError as `call` does. */
export const stageApi = (stage: Caller) => ({
  createIntegration: async (name: string): Promise<string> =>
    v.parse(integrations, await call(stage, 'POST', '/admin/integrations/', { integrations: [{ name }] }))
      .integrations[0].id,
  makeInboundSecret: async (id: string): Promise<string> =>
    v.parse(secrets, await call(stage, 'POST', `/admin/integrations/${id}/inbound_secret/`)).secrets[0].secret,
  deleteIntegration: (id: string): Promise<void> => deleted(call(stage, 'DELETE', `/admin/integrations/${id}/`)),
  createWebhook: async ({ id: _, ...webhook }: GhostWebhook, integration_id: string): Promise<Created> => {
    const { event, target_url, name, secret, api_version } = webhook;
    const item = { event, target_url, name, secret, integration_id, ...(api_version !== null && { api_version }) };
    try {
      const made = await call(stage, 'POST', '/admin/webhooks/', { webhooks: [item] });
      return { id: v.parse(webhooks, made).webhooks[0].id };
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 422) throw error;
      return { refused: v.parse(errors, JSON.parse(error.body)).errors[0].message };
    }
  },
});
