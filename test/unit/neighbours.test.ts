/** How the records of a batch's webhooks are read: by key, or those of neighbours with one query. */
import { describe, expect, it } from 'vitest';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { readsOf } from '../../shared/webhooks/neighbours.ts';
import { webhookKey } from '../../shared/webhooks/table-keys.ts';

/** The id of a webhook of a neighbourhood. */
const idOf = (neighbourhood: string, number: number) =>
  `${number.toString(16).padStart(12, '0')}${neighbourhood.repeat(8)}0000` as WebhookId;
const skOf = (neighbourhood: string, number: number) => webhookKey(idOf(neighbourhood, number)).sk;

describe('the records of webhooks', () => {
  it('are read by their keys where each is alone', () => {
    const ids = [idOf('a', 1), idOf('b', 1)];
    expect(readsOf(ids)).toEqual({ keys: ids.map(webhookKey), ranges: [] });
  });

  it.each([
    [
      [1, 2],
      [1, 2],
    ],
    [
      [2, 1],
      [1, 2],
    ],
    [
      [3, 1, 2],
      [1, 3],
    ],
    [
      [2, 3, 1],
      [1, 3],
    ],
    [
      [1, 3, 2],
      [1, 3],
    ],
  ])('%j of a neighbourhood are read with one query, from %j', (numbers, [first = 0, last = 0]) => {
    expect(readsOf([idOf('b', 7), ...numbers.map((number) => idOf('a', number))])).toEqual({
      keys: [webhookKey(idOf('b', 7))],
      ranges: [{ pk: webhookKey(idOf('a', 1)).pk, between: [skOf('a', first), skOf('a', last)] }],
    });
  });

  it('of two neighbourhoods are read with two queries', () => {
    const ids = ['a', 'b', 'a', 'b'].map((neighbourhood, number) => idOf(neighbourhood, number));
    const { keys, ranges } = readsOf(ids);
    expect(keys).toEqual([]);
    expect(ranges.map(({ between }) => between)).toEqual([
      [skOf('a', 0), skOf('a', 2)],
      [skOf('b', 1), skOf('b', 3)],
    ]);
  });

  it('of no webhooks are not read', () => {
    expect(readsOf([])).toEqual({ keys: [], ranges: [] });
  });
});
