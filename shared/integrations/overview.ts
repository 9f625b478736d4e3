/** The overview of a stage: its numbers and what needs attention, read together, so that a page needs one request for it. */
import * as v from 'valibot';
import { countUndelivered } from '../deliveries/records/undelivered.ts';
import { day, hour, minute } from '../foundation/clock.ts';
import { field, type Resource, resource } from '../foundation/resource.ts';
import { presentInvite } from '../invites/invite.ts';
import { listInvites } from '../invites/manage.ts';
import { inviteResource } from '../invites/resource.ts';
import { readDeadLetters } from '../stats/dead-letters.ts';
import { deadLetters, type Period, statsResource } from '../stats/resource.ts';
import { statsOf } from '../stats/summary.ts';
import { showIntegrations } from './browse.ts';
import { integrationResource } from './integration.ts';
import { browsePorts } from './load.ts';
import { listRelays } from './relay/list.ts';
import { relayResource } from './relay/resource.ts';
import { listIntegrations } from './store.ts';

const counted = (description: string) =>
  field(
    v.strictObject({
      count: field(v.pipe(v.number(), v.integer()), 'How many, at most 500.', 3),
      has_more: field(v.boolean(), 'Whether there are more.', false),
    }),
    description,
  );

const undelivered = v.strictObject({
  retrying: counted('Deliveries that wait for another attempt.'),
  held: counted('Deliveries that wait for a replay.'),
  failed: counted('Deliveries of the period that failed.'),
});

export const overviewResource = resource('Overview', {
  environment: field(v.string(), 'The name of the stage.', 'prod'),
  stats: field(statsResource, 'The statistics of the period.'),
  undelivered: field(v.nullable(undelivered), 'What did not reach its receivers; null if `integrations` is.'),
  integrations: field(
    v.nullable(v.array(integrationResource)),
    'All integrations with their webhooks; null if there are more than a page of `GET /admin/integrations/?include=webhooks`.',
  ),
  relays: field(v.array(relayResource), 'The connected Ghost sites.'),
  bounced: field(v.array(inviteResource), 'The newest invites whose mail bounced, at most 100.'),
  dead_letters: field(v.array(deadLetters), 'Queues with messages that an operator has to move back.'),
});

export type Overview = Resource<typeof overviewResource>;

const maxIntegrations = 100;
const maxInvites = 100;

/** In ms. */
const lengths: Readonly<Record<Period, number>> = { hour, day, week: 7 * day };

/** Reads the overview of the period that ends now (epoch ms). */
export const readOverview = async (period: Period, environment: string, now: number): Promise<Overview> => {
  const [stats, relays, bounced, dead_letters, { integrations, undelivered }] = await Promise.all([
    statsOf(period, now),
    listRelays(now),
    listInvites({ status: 'bounced', filter: undefined }, maxInvites, undefined),
    readDeadLetters(),
    readWebhooks(now - lengths[period]),
  ]);
  const shown = bounced.invites.map((invite) => presentInvite(invite));
  return { environment, stats, undelivered, integrations, relays, bounced: shown, dead_letters };
};

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
