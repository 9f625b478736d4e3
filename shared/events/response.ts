/** The schema of what publishers get for an event that was accepted. */
import * as v from 'valibot';
import { responseTime } from '../foundation/response-fields.ts';

export const eventResponse = v.strictObject({
  id: v.pipe(
    v.string(),
    v.description(
      'Names the event for its publisher: sent again within 30 days it is not delivered again. Made where none was sent; no dots.',
    ),
  ),
  event: v.pipe(v.string(), v.description('What happened; webhooks subscribe to this name.')),
  created_at: v.pipe(responseTime, v.description('When it was accepted.')),
});
