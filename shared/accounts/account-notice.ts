/** The notices to a member about the account, such as a new token or address. Each is a message of the mail queue. */
import * as v from 'valibot';
import type { OutboxMessage } from '../due/outbox.ts';
import type { StaffId } from '../foundation/ids.ts';
import { newId } from '../foundation/new-id.ts';
import { idSchema, timeSchema } from '../foundation/resource.ts';

export const accountNotices = [
  'token',
  'ownerReceived',
  'ownerGiven',
  'addressAsked',
  'addressChanged',
  'secretsRead',
  'invitesStopped',
] as const;

export const accountNoticeMessage = v.object({
  account_notice: v.object({
    kind: v.picklist(accountNotices),
    staff_id: idSchema<StaffId>(),
    /** The name of the person who did it; null for an integration or the operator. */
    by: v.nullable(v.string()),
    /** The address to mail to, if it may no longer be the member's. */
    to: v.optional(v.string()),
    /** The other person (Owner before or after, stopped inviter) or address, or the site whose secrets were read. */
    other: v.optional(v.string()),
    at: timeSchema,
    /** How often the message was returned to the queue. */
    waits: v.pipe(v.number(), v.integer(), v.minValue(0)),
  }),
});
export type AccountNoticeMessage = v.InferOutput<typeof accountNoticeMessage>;
export type AccountNotice = AccountNoticeMessage['account_notice'];

/** Returns the notice, which is stored in the transaction of the change. */
export const accountNotice = (notice: Omit<AccountNotice, 'waits'>): OutboxMessage => ({
  queue: 'mail',
  id: `account-${newId()}`,
  body: { account_notice: { ...notice, waits: 0 } } satisfies AccountNoticeMessage,
});
