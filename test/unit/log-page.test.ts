/** Several logs merged into one: pages are complete and ordered, and show each delivery once. */
import { describe, expect, it } from 'vitest';
import type { Delivery } from '../../shared/deliveries/delivery.ts';
import { inOrder, mergedLog, type ReadLog } from '../../shared/deliveries/records/log-page.ts';
import { type DeliveryId, idTime, type WebhookId } from '../../shared/foundation/ids.ts';

const idAt = (ms: number) => `${idTime(ms)}${'0'.repeat(12)}` as DeliveryId;
const delivery = (ms: number, status: Delivery['status'] = 'delivered', webhook = 'a'): Delivery =>
  ({ id: idAt(ms), webhook_id: webhook as WebhookId, status }) as Delivery;

describe('a page of several merged logs', () => {
  const options = { since: undefined, until: undefined, newestFirst: true, limit: 2, after: undefined };
  const log =
    (times: readonly number[], next?: number): ReadLog =>
    async () => ({ deliveries: times.map((ms) => delivery(ms)), next: next === undefined ? undefined : idAt(next) });

  it('is the last page if everything was shown and no log has more', async () => {
    const page = await mergedLog([log([3]), log([2])])(options);
    expect(page).toEqual({ deliveries: [delivery(3), delivery(2)], next: undefined });
  });

  it('ends where the first of the incomplete logs ends', async () => {
    const page = await mergedLog([log([5], 5), log([3], 3)])(options);
    expect(page).toEqual({ deliveries: [delivery(5)], next: idAt(5) });
  });

  it('ends with its last delivery if more deliveries were read', async () => {
    const read = mergedLog([log([5, 3], 3), log([4])]);
    expect(await read(options)).toEqual({ deliveries: [delivery(5), delivery(4)], next: idAt(4) });
    expect(await read({ ...options, limit: 1 })).toEqual({ deliveries: [delivery(5)], next: idAt(5) });
  });
});

describe('deliveries of several merged logs', () => {
  it('are ordered by id, newest or oldest first', () => {
    const all = [delivery(2), delivery(1), delivery(3)];
    expect(inOrder(all, true)).toEqual([delivery(3), delivery(2), delivery(1)]);
    expect(inOrder(all, false)).toEqual([delivery(1), delivery(2), delivery(3)]);
  });

  it.each([true, false])('appear once, as a success if one log says so (newest first: %s)', (newestFirst) => {
    const [unfinished, success, other] = [delivery(1, 'retrying'), delivery(1), delivery(2, 'retrying')];
    const shown = newestFirst ? [other, success] : [success, other];
    expect(inOrder([unfinished, other, success], newestFirst)).toEqual(shown);
    expect(inOrder([success, other, unfinished], newestFirst)).toEqual(shown);
  });

  it('with the same id appear once for each webhook', () => {
    const both = [delivery(1, 'delivered', 'a'), delivery(1, 'delivered', 'b')];
    expect(inOrder(both, true)).toEqual(both);
  });
});
