/** `GET /admin/stats/`: returns what was accepted, delivered and not delivered in the last hour, day or week. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { present } from '../../shared/foundation/resource.ts';
import { invalidParameter, namesIn } from '../../shared/http/parameters.ts';
import { ok } from '../../shared/http/response.ts';
import { readDeadLetters } from '../../shared/stats/dead-letters.ts';
import { type Period, periods, statsResource } from '../../shared/stats/resource.ts';
import { statsOf } from '../../shared/stats/summary.ts';

export const handler = endpoint({
  line: 'stats/read',
  handle: async ({ request: { query }, now }) => {
    const { period = 'day' } = query;
    if (!isPeriod(period))
      throw invalidParameter('period', period, 'known', `must be one of ${periods.join(', ')}`, periods.join(', '));
    const [stats, dead_letters] = await Promise.all([
      statsOf(period, now),
      namesIn(query.include).includes('dead_letters') ? readDeadLetters() : undefined,
    ]);
    return ok({ stats: [present(statsResource, { ...stats, dead_letters })] });
  },
});

const isPeriod = (text: string): text is Period => periods.some((period) => period === text);
