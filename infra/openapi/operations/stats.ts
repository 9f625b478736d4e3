/** The OpenAPI texts of the statistics. */
import * as v from 'valibot';
import { periods, statsResource } from '../../../shared/stats/resource.ts';
import type { OperationTexts } from '../operation.ts';

const counts = { accepted: 12, delivered: 36, retrying: 1, failed: 0, held: 0, latency: { p50_ms: 85, p95_ms: 240 } };
const nothing = { accepted: 0, delivered: 0, retrying: 0, failed: 0, held: 0, latency: { p50_ms: null, p95_ms: null } };

const beginning = Date.parse('2026-11-21T08:40:00.000Z');
const hour = {
  period: 'hour',
  since: '2026-11-21T08:40:00.000Z',
  until: '2026-11-21T09:40:00.000Z',
  ...counts,
  buckets: Array.from({ length: 12 }, (_, bucket) => ({
    start: new Date(beginning + bucket * 300_000).toISOString(),
    ...(bucket === 11 ? counts : nothing),
  })),
};

export const stats = {
  'stats/read': {
    summary: 'Get statistics of events and deliveries',
    description:
      'Counts cover all integrations. An event is counted with its first delivery, a delivery when an attempt ends. The counts are approximate: a function that is killed may not have counted, and work that is done twice counts twice. `include=dead_letters` adds the queues that need an operator. What else needs attention is in other lists: webhooks that are `disabled` or have a `last_triggered_error` in `GET /admin/integrations/?include=webhooks`, and invites that have `bounced` in `GET /admin/invites/`.',
    query: {
      period: {
        schema: v.picklist(periods),
        description: 'The time until now. Default: `day`.',
        invalid: 'it is not a period',
      },
      include: {
        schema: v.pipe(v.string(), v.metadata({ examples: ['dead_letters'] })),
        description: 'What to include: `dead_letters`.',
      },
    },
    answer: { status: 200, root: 'stats', item: statsResource },
    examples: {
      'last-hour': {
        summary: 'The last hour, in which all events were accepted in the last five minutes',
        query: { period: 'hour' },
        answer: [hour],
      },
    },
  },
} satisfies Record<string, OperationTexts>;
