/** A list of 10,000 deliveries, as `GET /admin/deliveries/` returns it. */

/** Returns the newest hundred of 10,000 deliveries, or all others. */
export const manyDeliveries = (isSecondPage: boolean): object => {
  const [from, to] = isSecondPage ? [100, 10_000] : [0, 100];
  const deliveries = Array.from({ length: to - from }, (_, index) => ({
    id: (0xff_ffff - from - index).toString(16).padStart(24, '0'),
    webhook_id: 'a'.repeat(24),
    event: 'post.published',
    event_id: `event-${from + index}`,
    status: 'delivered',
    trigger: 'event',
    attempts: 1,
    created_at: '2026-11-21T09:30:00.000Z',
    last_attempt_at: '2026-11-21T09:30:00.040Z',
    next_attempt_at: null,
    last_status: '200',
    last_error: null,
    waiting_for: null,
  }));
  return { deliveries, meta: { pagination: { limit: 100, next: isSecondPage ? null : 'next' } } };
};
