/** The schemas of what clients see of integrations and their keys. */
import * as v from 'valibot';
import { responseId, responseTime } from '../foundation/response-fields.ts';
import { webhookResource } from '../webhooks/webhook.ts';

export const apiKeyResponse = v.strictObject({
  id: v.pipe(responseId, v.description('What tokens name as `kid`.')),
  type: v.pipe(v.literal('admin'), v.description('All keys are Admin API keys.')),
  secret: v.pipe(
    v.nullable(v.pipe(v.string(), v.regex(/^[0-9a-f]{24}:[0-9a-f]{64}$/))),
    v.description('The whole key, `id:secret`, in the answer to the request that made it; null ever after.'),
  ),
  integration_id: v.pipe(responseId, v.description('The integration that acts with this key.')),
  created_at: v.pipe(responseTime, v.description('When the key was made.')),
  updated_at: v.pipe(responseTime, v.description('The same: a key never changes, it is replaced.')),
});

export const integrationResponse = v.strictObject({
  id: v.pipe(responseId, v.description('Names the integration.')),
  type: v.pipe(v.literal('custom'), v.description('Always `custom`; for clients of Ghost, which has others.')),
  name: v.pipe(v.string(), v.description('What people call it, at most 191 characters.')),
  slug: v.pipe(v.string(), v.description('Made of the first name; stays when the name changes, and is not unique.')),
  icon_image: v.pipe(v.null(), v.description('Always null: no icons are kept.')),
  description: v.pipe(v.nullable(v.string()), v.description('What it is for; at most 2000 characters.')),
  contact_email: v.pipe(
    v.nullable(v.string()),
    v.description('Who is mailed when one of its webhooks fails for long; null for nobody.'),
  ),
  can_publish: v.pipe(v.boolean(), v.description('Whether its keys may publish events.')),
  created_at: v.pipe(responseTime, v.description('When it was created.')),
  updated_at: v.pipe(responseTime, v.description('When it was last changed.')),
  webhooks: v.pipe(
    v.optional(v.array(webhookResource)),
    v.description('Its webhooks, newest first; only with `include=webhooks`.'),
  ),
  api_keys: v.pipe(
    v.optional(v.array(apiKeyResponse)),
    v.description('Its keys; with `include=api_keys`, and wherever one was just made.'),
  ),
});

export type ApiKeyResponse = v.InferOutput<typeof apiKeyResponse>;
export type IntegrationResponse = v.InferOutput<typeof integrationResponse>;
