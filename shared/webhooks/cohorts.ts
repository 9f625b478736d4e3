/**
 * Chooses the cohorts of new webhooks. The deliveries of one event to a cohort are recorded together (docs/adr/0016-one-item-for-a-cohort.md), so
 * a cohort has webhooks that were created for the same event one after another, and is never changed.
 */
import { second, systemClock } from '../foundation/clock.ts';
import { type CohortId, newId } from '../foundation/ids.ts';
import { newestSubscribers } from './subscriptions.ts';

/** As many deliveries as a batch has. Environments that create webhooks at the same time can exceed it by a few. */
const maxMembers = 10;
/** How long an environment assumes that no other one creates webhooks for the same event. */
const knownMs = 10 * second;

interface Newest {
  readonly cohort: CohortId;
  readonly members: number;
  readonly readAt: number;
}

/** By event: names of events are few. */
const newest = new Map<string, Newest>();

/** Returns the cohort of a new webhook for an event: the newest one of that event if it has room. */
export const chooseCohort = async (event: string): Promise<CohortId> => {
  const now = systemClock();
  const known = newest.get(event);
  const last = known === undefined || now - known.readAt >= knownMs ? await readNewest(event, now) : known;
  const chosen = last.members < maxMembers ? last : { cohort: newId<CohortId>(), members: 0, readAt: now };
  newest.set(event, { ...chosen, members: chosen.members + 1 });
  return chosen.cohort;
};

const readNewest = async (event: string, now: number): Promise<Newest> => {
  const [last, ...others] = await newestSubscribers(event, maxMembers);
  const cohort = last?.cohort;
  if (cohort === undefined) return { cohort: newId<CohortId>(), members: 0, readAt: now };
  return { cohort, members: 1 + others.filter((other) => other.cohort === cohort).length, readAt: now };
};
