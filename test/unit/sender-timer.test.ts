/** The one timer that serves the deadlines of all requests of a sender. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createDeadlines } from '../../shared/deliveries/sender/deadlines.ts';
import type { Exchange } from '../../shared/deliveries/sender/exchange.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => vi.useRealTimers());

const given = () => {
  const ended: Exchange[] = [];
  const deadlines = createDeadlines((exchange) => {
    ended.push(exchange);
    deadlines.remove(exchange);
  });
  /** Starts an exchange that ends after so many ms. */
  const start = (ms: number): Exchange => {
    const exchange = { deadline: Number.POSITIVE_INFINITY } as Exchange;
    deadlines.set(exchange, performance.now(), ms);
    return exchange;
  };
  return { ended, deadlines, start };
};

it('ends each request at its own deadline, in whatever order they began', () => {
  const { ended, start } = given();
  const [slow, quick] = [start(1000), start(300)];
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(299);
  expect(ended).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(ended).toEqual([quick]);
  vi.advanceTimersByTime(699);
  expect(ended).toEqual([quick]);
  vi.advanceTimersByTime(1);
  expect(ended).toEqual([quick, slow]);
});

it('keeps the deadline of a request that was postponed, while another one ends', () => {
  const { ended, deadlines, start } = given();
  const [first, second] = [start(100), start(100)];
  vi.advanceTimersByTime(50);
  deadlines.set(first, performance.now(), 1000);
  vi.advanceTimersByTime(50);
  expect(ended).toEqual([second]);
  vi.advanceTimersByTime(949);
  expect(ended).toEqual([second]);
  vi.advanceTimersByTime(1);
  expect(ended).toEqual([second, first]);
});

it('forgets a request that has ended, also if it was postponed', () => {
  const { ended, deadlines, start } = given();
  const request = start(100);
  deadlines.set(request, performance.now(), 200);
  deadlines.remove(request);
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(1000);
  expect(ended).toEqual([]);
});

it('stops with the last request, so that it does not keep the process running', () => {
  const { ended, deadlines, start } = given();
  const [one, other] = [start(100), start(200)];
  deadlines.remove(one);
  expect(vi.getTimerCount()).toBe(1);
  deadlines.remove(other);
  expect(vi.getTimerCount()).toBe(0);
  const next = start(500);
  vi.advanceTimersByTime(500);
  expect(ended).toEqual([next]);
});
