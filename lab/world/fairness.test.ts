/** The order of a fair queue: each rule that AWS publishes, and its limits. */
import { beforeEach, describe, expect, it } from 'vitest';
import { FairOrder } from './fairness.ts';

const clock = { now: 0 };
const minute = 60_000;
let queue: FairOrder<string>;

/** Adds items such as `a1` of the group `a`. */
const send = (group: string, count: number) => {
  for (let number = 1; number <= count; number++) queue.add(`${group}${number}`, group);
};
/** Receives an item; it is in flight. */
const receive = (): string | undefined => {
  const item = queue.first();
  if (item === undefined) return undefined;
  queue.take();
  queue.begin(item[0]);
  return item;
};
const receiveMany = (count: number) => Array.from({ length: count }, receive);

beforeEach(() => {
  clock.now = 0;
  queue = new FairOrder<string>(clock);
});

describe('a fair queue', () => {
  it('receives the oldest message first while no group is noisy', () => {
    send('a', 2);
    send('b', 1);
    send('a', 1);
    expect(receiveMany(4)).toEqual(['a1', 'a2', 'b1', 'a1']);
  });

  it('keeps the order until a group has 30 of its own in flight, however large its share is', () => {
    send('a', 40);
    send('b', 1);
    receiveMany(29);
    expect(queue.isNoisy('a')).toBe(false);
    expect(receive()).toBe('a30');
    expect(queue.isNoisy('a')).toBe(true);
    expect(receiveMany(2)).toEqual(['b1', 'a31']);
  });

  it('does not take a group for noisy that has at most a tenth of what is in flight', () => {
    for (let number = 0; number < 300; number++) queue.begin(undefined);
    send('a', 40);
    receiveMany(33);
    expect(queue.isNoisy('a')).toBe(false);
    receiveMany(2);
    expect(queue.isNoisy('a')).toBe(true);
  });

  it('takes a group for noisy whose few messages have more than a tenth of the processing time', () => {
    send('a', 3);
    send('b', 1);
    receive();
    queue.end('a', 10_000);
    expect(receiveMany(3)).toEqual(['b1', 'a2', 'a3']);
  });

  it('forgets processing time', () => {
    queue.begin('a');
    queue.end('a', 10_000);
    clock.now = 10 * minute;
    queue.begin('b');
    queue.end('b', 100);
    send('a', 1);
    expect(queue.isNoisy('a')).toBe(false);
  });

  it('receives from the noisy group with the fewest messages in flight if no quiet one waits', () => {
    send('a', 80);
    send('b', 80);
    receiveMany(40);
    // 'a' has 30 in flight, and 'b' 10: both are noisy, 'b' by its processing time.
    queue.begin('b');
    queue.end('b', 10_000);
    queue.begin('a');
    queue.end('a', 10_000);
    expect(receiveMany(3)).toEqual(['b11', 'b12', 'b13']);
  });

  it('takes a group for quiet again when its backlog is gone', () => {
    send('a', 40);
    receiveMany(40);
    expect(queue.isNoisy('a')).toBe(false);
  });

  it('takes a group for quiet again that has sent nothing for five minutes, in the old order', () => {
    send('a', 40);
    receiveMany(35);
    send('b', 1);
    expect(receive()).toBe('b1');
    clock.now = 4.9 * minute;
    send('c', 1);
    expect(queue.first()).toBe('c1');
    clock.now = 5 * minute;
    expect(queue.first()).toBe('a36');
  });

  it('takes each message without a group for a group of its own', () => {
    for (let number = 0; number < 100; number++) queue.add(`x${number}`, undefined);
    for (let number = 0; number < 90; number++) {
      queue.take();
      queue.begin(undefined);
    }
    send('b', 1);
    expect(queue.first()).toBe('x90');
  });
});
