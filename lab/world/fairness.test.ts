/** The order of a fair queue: the rules that AWS publishes, and their limits. */
import { beforeEach, describe, expect, it } from 'vitest';
import { FairOrder } from './fairness.ts';

const clock = { now: 0 };
const minute = 60_000;
let queue: FairOrder<string>;

const send = (group: string, count: number) => {
  for (let number = 1; number <= count; number++) queue.add(`${group}${number}`, group);
};
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

describe('a simulated fair queue', () => {
  it('returns the oldest message first while no group is noisy', () => {
    send('a', 2);
    send('b', 1);
    send('a', 1);
    expect(receiveMany(4)).toEqual(['a1', 'a2', 'b1', 'a1']);
  });

  it('never treats a group as noisy with fewer than 30 messages in flight', () => {
    send('a', 40);
    send('b', 1);
    receiveMany(29);
    expect(queue.isNoisy('a')).toBe(false);
    expect(receive()).toBe('a30');
    expect(queue.isNoisy('a')).toBe(true);
    expect(receiveMany(2)).toEqual(['b1', 'a31']);
  });

  it('never treats a group as noisy that has at most a tenth of all messages in flight', () => {
    for (let number = 0; number < 300; number++) queue.begin(undefined);
    send('a', 40);
    receiveMany(33);
    expect(queue.isNoisy('a')).toBe(false);
    receiveMany(2);
    expect(queue.isNoisy('a')).toBe(true);
  });

  it('treats a group as noisy if it uses more than a tenth of the processing time', () => {
    send('a', 3);
    send('b', 1);
    receive();
    queue.end('a', 10_000);
    expect(receiveMany(3)).toEqual(['b1', 'a2', 'a3']);
  });

  it('forgets processing time after some minutes', () => {
    queue.begin('a');
    queue.end('a', 10_000);
    clock.now = 10 * minute;
    queue.begin('b');
    queue.end('b', 100);
    send('a', 1);
    expect(queue.isNoisy('a')).toBe(false);
  });

  it('returns messages of the least noisy group if no quiet group has any', () => {
    send('a', 80);
    send('b', 80);
    receiveMany(40);
    // 'a' has 30 in flight and 'b' has 10; both are noisy, 'b' because of its processing time.
    queue.begin('b');
    queue.end('b', 10_000);
    queue.begin('a');
    queue.end('a', 10_000);
    expect(receiveMany(3)).toEqual(['b11', 'b12', 'b13']);
  });

  it('treats a group as quiet again once its backlog is gone', () => {
    send('a', 40);
    receiveMany(40);
    expect(queue.isNoisy('a')).toBe(false);
  });

  it('treats a group as quiet again after five minutes without new messages, in the old order', () => {
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

  it('treats each message without a group as a separate group', () => {
    for (let number = 0; number < 100; number++) queue.add(`x${number}`, undefined);
    for (let number = 0; number < 90; number++) {
      queue.take();
      queue.begin(undefined);
    }
    send('b', 1);
    expect(queue.first()).toBe('x90');
  });
});
