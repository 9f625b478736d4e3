/** The message of the mail queue that tells a webhook's owners what it has become (`shared/incidents/notify.ts`). */
import * as v from 'valibot';
import type { WebhookId } from '../foundation/ids.ts';
import { idSchema, timeSchema } from '../foundation/resource.ts';
import { notices } from './webhook.ts';

export const noticeMessage = v.object({
  webhook_id: idSchema<WebhookId>(),
  notice: v.picklist(notices),
  /** When it became so: for a webhook that fails, since when. */
  at: timeSchema,
  /** Missing in the first message, which becomes one for each recipient. */
  to: v.optional(
    v.object({
      /** Id of a staff member, or `contact`: the queue holds no addresses. */
      recipient: v.string(),
      /** How often the message returned to the queue. */
      waits: v.number(),
    }),
  ),
});

export type NoticeMessage = v.InferOutput<typeof noticeMessage>;
