/** The schema of what clients see of a webhook: the 13 fields of the contract, all of them in every answer. */
import * as v from 'valibot';
import { responseId, responseTime } from '../foundation/response-fields.ts';

export const webhookResponse = v.strictObject({
  id: v.pipe(responseId, v.description('Names the webhook.')),
  event: v.pipe(v.string(), v.description('The event that it subscribes to.')),
  target_url: v.pipe(
    v.string(),
    v.description(
      'Where deliveries are posted: an absolute https URL on the public internet, at most 2000 characters.',
    ),
  ),
  name: v.pipe(v.nullable(v.string()), v.description('What people call it; an empty one becomes null.')),
  secret: v.pipe(
    v.nullable(v.string()),
    v.description('Signs deliveries. Set on creation and shown in that answer only; null ever after.'),
  ),
  api_version: v.pipe(
    v.string(),
    v.description(
      'The version of the payloads it gets: `v6`, `v6.0`, `canary`; the current one unless said otherwise.',
    ),
  ),
  integration_id: v.pipe(
    responseId,
    v.description("Whose webhook it is: an integration's key always means its own; a staff key has to say which."),
  ),
  status: v.pipe(
    v.picklist(['available', 'disabled']),
    v.description('`disabled` after days in which every delivery failed; any update makes it available again.'),
  ),
  last_triggered_at: v.pipe(v.nullable(responseTime), v.description('When something was last delivered to it.')),
  last_triggered_status: v.pipe(
    v.nullable(v.string()),
    v.description('The HTTP status it answered then, as text; null where there was no answer.'),
  ),
  last_triggered_error: v.pipe(v.nullable(v.string()), v.description('What went wrong then; null where nothing did.')),
  created_at: v.pipe(responseTime, v.description('When it was created.')),
  updated_at: v.pipe(responseTime, v.description('When it was last updated.')),
});

export type WebhookResponse = v.InferOutput<typeof webhookResponse>;

/** What comes back when a webhook gets a new secret. */
export const secretResponse = v.strictObject({
  secret: v.pipe(v.string(), v.startsWith('whsec_'), v.description('The new secret, in this answer and nowhere else.')),
  previous_valid_until: v.pipe(
    v.nullable(responseTime),
    v.description('Until when deliveries are signed with the one before as well; null where there was none.'),
  ),
});
