/** Caches: how many entries they keep, and which entry they drop first. */
import { describe, expect, it } from 'vitest';
import { createCache, memoized } from '../../shared/foundation/cache.ts';

describe('a cache', () => {
  it('drops the oldest entry when the limit is reached', () => {
    const cache = createCache<string, number>({ max: 2 });
    cache.set('a', 1);
    cache.set('b', 2);
    cache.set('c', 3);
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([undefined, 2, 3]);
  });

  it('treats an entry that is set twice as one new entry', () => {
    const cache = createCache<string, number>({ max: 2 });
    cache.set('a', 1);
    cache.set('b', 2);
    cache.set('a', 3);
    cache.set('c', 4);
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([3, undefined, 4]);
  });

  it('drops as many old entries as a heavy new entry needs', () => {
    const cache = createCache<string, number>({ max: 10 });
    cache.set('a', 1, 4);
    cache.set('b', 2, 4);
    cache.set('c', 3, 2);
    cache.set('d', 4, 5);
    expect(['a', 'b', 'c', 'd'].map(cache.get)).toEqual([undefined, undefined, 3, 4]);
  });
});

describe('a memoized function', () => {
  it('computes each value once, even a null', () => {
    const computed: string[] = [];
    const parse = memoized((text) => {
      computed.push(text);
      return text === '' ? null : { text };
    });
    expect(parse('a')).toBe(parse('a'));
    expect([parse(''), parse('')]).toEqual([null, null]);
    expect(computed).toEqual(['a', '']);
  });

  it('computes again after an error', () => {
    let calls = 0;
    const fail = memoized(() => {
      calls++;
      throw new Error('no');
    });
    expect(fail).toThrow('no');
    expect(fail).toThrow('no');
    expect(calls).toBe(2);
  });

  it('keeps the last 1000 values', () => {
    const computed: string[] = [];
    const upper = memoized((text) => {
      computed.push(text);
      return text.toUpperCase();
    });
    for (let n = 0; n <= 1000; n++) upper(String(n));
    upper('1000');
    upper('1');
    expect(computed).toHaveLength(1001);
    upper('0');
    expect(computed).toHaveLength(1002);
  });
});
