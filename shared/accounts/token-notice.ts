/** The notice to a member that a token was created for the account: a message of the mail queue. */
import * as v from 'valibot';
import type { OutboxMessage } from '../due/outbox.ts';
import type { ApiKeyId, StaffId } from '../foundation/ids.ts';
import { idSchema, timeSchema } from '../foundation/resource.ts';

/** The message of the mail queue. */
export const tokenNoticeMessage = v.object({
  token_notice: v.object({
    key_id: idSchema<ApiKeyId>(),
    staff_id: idSchema<StaffId>(),
    /** The name of the person who created the token; null for an integration. */
    by: v.nullable(v.string()),
    at: timeSchema,
    /** How often the message was returned to the queue. */
    waits: v.pipe(v.number(), v.integer(), v.minValue(0)),
  }),
});
export type TokenNoticeMessage = v.InferOutput<typeof tokenNoticeMessage>;

/** Returns the notice, which is stored in the transaction that creates the token. */
export const tokenNotice = (notice: Omit<TokenNoticeMessage['token_notice'], 'waits'>): OutboxMessage => ({
  queue: 'mail',
  id: `token-${notice.key_id}`,
  body: { token_notice: { ...notice, waits: 0 } } satisfies TokenNoticeMessage,
});
