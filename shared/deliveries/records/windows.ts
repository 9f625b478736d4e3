/**
 * Windows: the events of a burst, of which a webhook with `debounce` gets the last one. Each window is an item that
 * names its holder, the delivery that waits for the end. A newer one becomes the holder and supersedes it. Nothing
 * happens at the end: the holder is sent as any waiting delivery. A number in the key tells windows apart.
 */
import { second } from '../../foundation/clock.ts';
import type { DeliveryId } from '../../foundation/ids.ts';
import { getMany } from '../../table/batch.ts';
import { is, missing } from '../../table/condition.ts';
import { tryWrite } from '../../table/conditional.ts';
import { put } from '../../table/item.ts';
import { untilWritten } from '../../table/optimistic.ts';
import { query } from '../../table/query.ts';
import type { Key } from '../../table/table-key.ts';
import type { Debounce } from '../../webhooks/options-resource.ts';
import { type Delivery, type DeliveryMessage, expiresAt } from '../delivery.ts';
import { deliveryKey } from './row.ts';

export interface Window {
  readonly sk: string;
  readonly holder: DeliveryId;
  /** The delivery that the holder has superseded. */
  readonly replaced?: DeliveryMessage | undefined;
  /** When its first event came, and when it ends if no other comes, in epoch ms. */
  readonly began: number;
  readonly ends: number;
}

interface StoredWindow extends Window, Key {
  /** The message of the holder, without its wait. */
  readonly message: DeliveryMessage;
  readonly expires_at: number;
}

/** Enough for a window of a second in each second of two years. */
const digits = 8;

/** How many windows may have passed before the message of a killed function is visible again, after 40 s or a fault. */
const lookedBack = 100;

const windowPrefix = 'WINDOW#';

/**
 * Puts a delivery into the current window of its webhook and `of`, or begins the next one. Returns the window, held by
 * it or by a later event's delivery, in the order of their ids. An ended window gets no new holder.
 * @param of names the resource, or stands for all
 */
export const enterWindow = (
  message: DeliveryMessage,
  of: string,
  { seconds, max_seconds }: Debounce,
  rules: Parameters<typeof expiresAt>[1],
  now: number,
): Promise<Window> => {
  const { webhook_id, delivery_id } = message;
  const { pk } = deliveryKey(webhook_id, delivery_id);
  const prefix = `${windowPrefix}${of}#`;
  return untilWritten(`the window of the webhook ${webhook_id}`, async () => {
    const newestFirst = { beginsWith: prefix, newestFirst: true };
    const [last] = (await query<StoredWindow>(pk, { ...newestFirst, limit: 1 })).items;
    if (last !== undefined && last.holder >= delivery_id) {
      if (last.holder === delivery_id) return last;
      // A function that was killed may have made it the holder of an earlier window.
      const where = is('holder', delivery_id);
      const { items } = await query<StoredWindow>(pk, { ...newestFirst, limit: lookedBack, where });
      return items[0] ?? last;
    }
    const open = last !== undefined && now < last.ends ? last : undefined;
    const number = last === undefined ? 0 : Number(last.sk.slice(prefix.length)) + 1;
    const began = open?.began ?? now;
    const window: StoredWindow = {
      pk,
      sk: open?.sk ?? `${prefix}${String(number).padStart(digits, '0')}`,
      holder: delivery_id,
      message,
      replaced: open?.message,
      began,
      ends: Math.min(now + seconds * second, began + max_seconds * second),
      expires_at: expiresAt(now, rules),
    };
    const { written } = await tryWrite(put({ ...window }, open === undefined ? missing() : is('holder', open.holder)));
    return written ? window : undefined;
  });
};

/** Returns superseded deliveries with what is sent instead: the holder of their window, not the next delivery. */
export const withHolders = async <T extends Delivery>(
  deliveries: readonly T[],
): Promise<(Omit<T, 'superseded_by'> & { readonly superseded_by: DeliveryId | null })[]> => {
  const keys = new Map(
    deliveries.flatMap(({ webhook_id, id, window: sk }): [string, Key][] =>
      sk === undefined ? [] : [[`${webhook_id} ${sk}`, { pk: deliveryKey(webhook_id, id).pk, sk }]],
    ),
  );
  const windows = await getMany<StoredWindow>([...keys.values()]);
  const holders = new Map(windows.map(({ sk, holder, message }) => [`${message.webhook_id} ${sk}`, holder]));
  return deliveries.map((delivery) => ({
    ...delivery,
    superseded_by: holders.get(`${delivery.webhook_id} ${delivery.window}`) ?? delivery.superseded_by ?? null,
  }));
};
