/** A list of 10,000 deliveries: neighbouring rows differ in every column, so that no row can be reused unchanged. */
import type { Page } from 'playwright-core';

const outcomes = [
  { status: 'delivered', attempts: 1, last_status: '200', last_error: null },
  { status: 'delivered', attempts: 3, last_status: '204', last_error: null },
  { status: 'retrying', attempts: 2, last_status: '503', last_error: 'status' },
  { status: 'failed', attempts: 8, last_status: null, last_error: 'timeout' },
  { status: 'held', attempts: 0, last_status: null, last_error: null },
] as const;

const events = ['post.published', 'post.published.edited', 'page.published', 'member.added'] as const;

/** Of the newest delivery, in ms. */
const newest = Date.parse('2026-11-21T09:30:00.000Z');

interface Wanted {
  readonly isSecondPage: boolean;
  readonly newer: number;
  /** ISO time; empty for all. */
  readonly since: string;
}

/** Returns the newest 100 of 10,000 deliveries and newer ones, or all others, as `GET /admin/deliveries/` does. */
const manyDeliveries = ({ isSecondPage, newer, since }: Wanted): object => {
  const [from, to] = isSecondPage ? [100, 10_000] : [-newer, 100];
  const deliveries = Array.from({ length: to - from }, (_, offset) => {
    const index = from + offset;
    const at = newest - index * 1700;
    return {
      id: (0xff_ffff - index).toString(16).padStart(24, '0'),
      webhook_id: 'a'.repeat(24),
      event: events[Math.abs(index) % events.length],
      event_id: `event-${index}`,
      trigger: index % 9 === 0 ? 'redelivery' : 'event',
      ...outcomes[Math.abs(index) % outcomes.length],
      created_at: new Date(at).toISOString(),
      last_attempt_at: new Date(at + 40).toISOString(),
      next_attempt_at: null,
      waiting_for: null,
      replayed_by: null,
      superseded_by: null,
      title: null,
    };
  });
  const next = isSecondPage || since !== '' ? null : 'next';
  return {
    deliveries: deliveries.filter(({ created_at }) => created_at >= since),
    meta: { pagination: { limit: 100, next } },
  };
};

/** Answers a page that asks for deliveries. Returns a function with which newer ones come. */
export const serveManyDeliveries = async (page: Page): Promise<(count: number) => void> => {
  let newer = 0;
  await page.route('**/admin/deliveries/?*', (route) => {
    const { searchParams } = new URL(route.request().url());
    if (searchParams.has('delivery_id')) return route.fulfill({ json: { deliveries: [], meta: { pagination: {} } } });
    const since = searchParams.get('since') ?? '';
    return route.fulfill({ json: manyDeliveries({ isSecondPage: searchParams.has('cursor'), newer, since }) });
  });
  return (count) => {
    newer += count;
  };
};
