/** Deliveries of several logs: they are ordered, and each is shown once. */
import { describe, expect, it } from 'vitest';
import type { Delivery } from '../../shared/deliveries/delivery.ts';
import { inOrder } from '../../shared/deliveries/records/log-page.ts';
import { type DeliveryId, idTime, type WebhookId } from '../../shared/foundation/ids.ts';

const idAt = (ms: number) => `${idTime(ms)}${'0'.repeat(12)}` as DeliveryId;
const delivery = (ms: number, status: Delivery['status'] = 'delivered', webhook = 'a'): Delivery =>
  ({
    id: idAt(ms),
    webhook_id: webhook as WebhookId,
    status,
    attempts: status === 'delivered' ? 1 : 0,
    waits: 0,
  }) as Delivery;

describe('deliveries of several merged logs', () => {
  it('are ordered by id, newest or oldest first', () => {
    const all = [delivery(2), delivery(1), delivery(3)];
    expect(inOrder(all, true)).toEqual([delivery(3), delivery(2), delivery(1)]);
    expect(inOrder(all, false)).toEqual([delivery(1), delivery(2), delivery(3)]);
  });

  it.each([true, false])('appear once, as the log shows them that was read later (newest first: %s)', (newestFirst) => {
    const [unfinished, success, other] = [delivery(1, 'pending'), delivery(1), delivery(2, 'pending')];
    const shown = newestFirst ? [other, success] : [success, other];
    expect(inOrder([unfinished, other, success], newestFirst)).toEqual(shown);
    expect(inOrder([success, other, unfinished], newestFirst)).toEqual(shown);
  });

  it('with the same id appear once for each webhook', () => {
    const both = [delivery(1, 'delivered', 'a'), delivery(1, 'delivered', 'b')];
    expect(inOrder(both, true)).toEqual(both);
  });
});
