/** Reads the overview of a stage, its numbers and what needs attention, in one request of a page. */
import { lastUses } from '../accounts/last-use.ts';
import { listStaffMembers } from '../accounts/staff-store.ts';
import { countUndelivered } from '../deliveries/records/undelivered.ts';
import { day, hour, minute } from '../foundation/clock.ts';
import { presentInvite } from '../invites/invite.ts';
import { listInvites } from '../invites/manage.ts';
import { pageOfInvites } from '../invites/store.ts';
import { readDeadLetters } from '../stats/dead-letters.ts';
import type { Period } from '../stats/resource.ts';
import { statsOf } from '../stats/summary.ts';
import { showIntegrations } from './browse.ts';
import { browsePorts } from './load.ts';
import type { Overview } from './overview-resource.ts';
import { listRelays } from './relay/list.ts';
import { listIntegrations } from './store.ts';

const maxIntegrations = 100;
const maxInvites = 100;

/** In ms. */
const lengths: Readonly<Record<Period, number>> = { hour, day, week: 7 * day };

/** Reads the overview of the period that ends now (epoch ms). */
export const readOverview = async (period: Period, environment: string, now: number): Promise<Overview> => {
  const [stats, relays, bounced, invited, dead_letters, { integrations, undelivered }] = await Promise.all([
    statsOf(period, now),
    listRelays(now),
    listInvites({ status: 'bounced', filter: undefined }, maxInvites, undefined),
    hasInvited(),
    readDeadLetters(),
    readWebhooks(now - lengths[period]),
  ]);
  const shown = bounced.invites.map((invite) => presentInvite(invite));
  return { environment, stats, undelivered, integrations, relays, bounced: shown, invited, dead_letters };
};

/** Old invites are deleted, but not those who joined and have signed in since. */
const hasInvited = async (): Promise<boolean> =>
  (await pageOfInvites(1, undefined)).invites.length > 0 ||
  (await lastUses((await listStaffMembers()).map(({ id }) => id))).size > 1;

/** Beyond it, the exact number makes no difference to a reader. */
const maxCounted = 500;

const upToMost = async (counted: ReturnType<typeof countUndelivered>) => {
  const { count, hasMore } = await counted;
  return { count: Math.min(count, maxCounted), has_more: hasMore || count > maxCounted };
};

/** @param since from when on what failed counts, epoch ms */
const readWebhooks = async (since: number): Promise<Pick<Overview, 'integrations' | 'undelivered'>> => {
  const page = await listIntegrations(maxIntegrations, undefined);
  const integrations = await showIntegrations(browsePorts, page.integrations, ['webhooks']);
  if (page.next !== null || integrations.length < page.integrations.length)
    return { integrations: null, undelivered: null };
  const webhooks = integrations.flatMap(({ webhooks: own = [] }) => own);
  const [retrying, held, failed] = await Promise.all([
    upToMost(countUndelivered(webhooks, ['retrying'])),
    upToMost(countUndelivered(webhooks, ['held'])),
    // Its link has whole minutes.
    upToMost(countUndelivered(webhooks, ['failed'], since - (since % minute))),
  ]);
  return { integrations, undelivered: { retrying, held, failed } };
};
