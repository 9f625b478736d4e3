/** The statistics in the examples of the OpenAPI document. */
const counts = { accepted: 12, delivered: 36, retrying: 1, failed: 0, held: 0, latency: { p50_ms: 85, p95_ms: 240 } };
const nothing = { accepted: 0, delivered: 0, retrying: 0, failed: 0, held: 0, latency: { p50_ms: null, p95_ms: null } };

const beginning = Date.parse('2026-11-21T08:40:00.000Z');
export const hour = {
  period: 'hour',
  since: '2026-11-21T08:40:00.000Z',
  until: '2026-11-21T09:40:00.000Z',
  ...counts,
  buckets: Array.from({ length: 12 }, (_, bucket) => ({
    start: new Date(beginning + bucket * 300_000).toISOString(),
    ...(bucket === 11 ? counts : nothing),
  })),
};
