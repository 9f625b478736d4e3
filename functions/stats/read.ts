/** `GET /admin/stats/`: returns what was accepted, delivered and not delivered in the last hour, day or week. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { present } from '../../shared/foundation/resource.ts';
import type { Documentation } from '../../shared/http/documentation.ts';
import { choice, includes } from '../../shared/http/query.ts';
import { readDeadLetters } from '../../shared/stats/dead-letters.ts';
import { periods, statsResource } from '../../shared/stats/resource.ts';
import { statsOf } from '../../shared/stats/summary.ts';

export const handler = endpoint({
  line: 'stats/read',
  answer: { status: 200, root: 'stats', item: statsResource },
  query: {
    period: choice(periods, 'The time until now. Default: `day`.', 'it is not a period'),
    include: includes(['dead_letters'], 'What to include: `dead_letters`.', 'dead_letters'),
  },
  handle: async ({ query: { period = 'day', include }, now, reply }) => {
    const [stats, dead_letters] = await Promise.all([
      statsOf(period, now),
      include.includes('dead_letters') ? readDeadLetters() : undefined,
    ]);
    return reply([present(statsResource, { ...stats, dead_letters })]);
  },
});

const exampleCounts = {
  accepted: 12,
  delivered: 36,
  retrying: 1,
  failed: 0,
  held: 0,
  latency: { p50_ms: 85, p95_ms: 240 },
};
const nothing = { accepted: 0, delivered: 0, retrying: 0, failed: 0, held: 0, latency: { p50_ms: null, p95_ms: null } };

export const documentation = (): Documentation => ({
  tag: 'Statistics',
  summary: 'Get statistics of events and deliveries',
  description:
    'Counts cover all integrations. An event is counted with its first delivery, a delivery when an attempt ends. ' +
    'The counts are approximate: a function that is killed may not have counted, and work that is done twice ' +
    'counts twice. `include=dead_letters` adds the queues that need an operator. ' +
    'What else needs attention is in other lists: webhooks that are `disabled` or have a `last_triggered_error` in ' +
    '`GET /admin/integrations/?include=webhooks`, `declined` with what the receiver said, and invites that have ' +
    '`bounced` in `GET /admin/invites/`.',
  examples: {
    'last-hour': {
      summary: 'The last hour, in which all events were accepted in the last five minutes',
      query: { period: 'hour' },
      answer: [
        {
          period: 'hour',
          since: '2026-11-21T08:40:00.000Z',
          until: '2026-11-21T09:40:00.000Z',
          ...exampleCounts,
          buckets: Array.from({ length: 12 }, (_, bucket) => ({
            start: new Date(Date.UTC(2026, 10, 21, 8, 40 + 5 * bucket)).toISOString(),
            ...(bucket === 11 ? exampleCounts : nothing),
          })),
        },
      ],
    },
  },
});
