/** `GET /admin/stats/`: returns what was accepted, delivered and not delivered in the last hour, day or week. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { invalidParameter } from '../../shared/http/parameters.ts';
import { ok } from '../../shared/http/response.ts';
import { type Period, periods } from '../../shared/stats/resource.ts';
import { statsOf } from '../../shared/stats/summary.ts';

export const handler = endpoint({
  line: 'stats/read',
  handle: async ({ request: { query }, now }) => {
    const { period = 'day' } = query;
    if (!isPeriod(period))
      throw invalidParameter('period', period, 'known', `must be one of ${periods.join(', ')}`, periods.join(', '));
    return ok({ stats: [await statsOf(period, now)] });
  },
});

const isPeriod = (text: string): text is Period => periods.some((period) => period === text);
