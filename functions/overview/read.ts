/** `GET /admin/overview/`: what a stage does and what needs attention, in one request. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { settings } from '../../shared/foundation/environment.ts';
import { present } from '../../shared/foundation/resource.ts';
import type { Documentation } from '../../shared/http/documentation.ts';
import { choice } from '../../shared/http/query.ts';
import { readOverview } from '../../shared/integrations/overview.ts';
import { overviewResource } from '../../shared/integrations/overview-resource.ts';
import { periods } from '../../shared/stats/resource.ts';

export const handler = endpoint({
  line: 'overview/read',
  answer: { status: 200, root: 'overview', item: overviewResource, isSingle: true },
  query: { period: choice(periods, 'The time until now. Default: `day`.', 'it is not a period') },
  handle: async ({ query: { period = 'day' }, now, reply }) =>
    reply(present(overviewResource, await readOverview(period, settings().stage, now))),
});

export const documentation = (): Documentation => ({
  tag: 'Statistics',
  summary: 'Get an overview',
  description:
    'What the first view of the console shows: the statistics of a period, how many deliveries failed, are held or ' +
    'retried, the integrations with their webhooks, the connected Ghost sites, invites whose mail bounced, and ' +
    'messages that need an operator. It costs as much as the lists together: clients that need one of them ask for ' +
    'that one.',
  examples: {
    'last-hour': { summary: 'With the statistics of the last hour', query: { period: 'hour' } },
  },
});
