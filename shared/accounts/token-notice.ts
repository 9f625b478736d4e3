/**
 * The notice to a member that a token was created for the account. It is stored in the transaction that creates the token, so that it is sent at
 * least once, by the request or by the sweep.
 */
import * as v from 'valibot';
import { send, trySending } from '../aws/queues.ts';
import { dueAt } from '../due/due-index.ts';
import type { ApiKeyId, StaffId } from '../foundation/ids.ts';
import { idSchema, timeSchema } from '../foundation/resource.ts';
import { getMany } from '../table/batch.ts';
import { remove } from '../table/item.ts';
import type { Key } from '../table/table-key.ts';
import type { Write } from '../table/transaction.ts';

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
type TokenNotice = Omit<TokenNoticeMessage['token_notice'], 'waits'>;

const tableKey = (id: ApiKeyId): Key => ({ pk: `OUTBOX#token-${id}`, sk: 'TOKEN_NOTICE' });

/** Returns whether a due key stands for a notice that was not sent yet. */
export const isTokenNotice = ({ sk }: Key): boolean => sk === 'TOKEN_NOTICE';

/** Returns the write that stores a notice; the sweep sends it at `due` (epoch ms) unless `sendTokenNotice` comes first. */
export const putTokenNotice = (notice: TokenNotice, due: number): Write => ({
  kind: 'put',
  item: { ...tableKey(notice.key_id), notice, ...dueAt(tableKey(notice.key_id), due) },
});

const sendAll = async (notices: readonly TokenNotice[]): Promise<void> => {
  await send(
    'mail',
    notices.map((notice) => ({ body: { token_notice: { ...notice, waits: 0 } } satisfies TokenNoticeMessage })),
  );
  await Promise.all(notices.map(({ key_id }) => remove(tableKey(key_id))));
};

/** Sends a notice that was just stored. Never fails, because the sweep sends it otherwise. */
export const sendTokenNotice = (notice: TokenNotice): Promise<void> =>
  trySending(`the notice of the key ${notice.key_id}`, sendAll([notice]));

/** Sends the notices of due keys. @throws ServiceUnavailableError if the queue or the table is not available */
export const sendDueTokenNotices = async (keys: readonly Key[]): Promise<void> =>
  sendAll((await getMany<{ notice: TokenNotice }>(keys)).map(({ notice }) => notice));
