/**
 * Chooses the cohorts of new webhooks. The deliveries of one event to a cohort are recorded together (docs/adr/0016-one-item-for-a-cohort.md), so
 * a cohort has webhooks that were created for the same event one after another, and is never changed. The webhooks of five cohorts are
 * neighbours in the table.
 */
import { second, systemClock } from '../foundation/clock.ts';
import { type CohortId, neighbourhoodOf } from '../foundation/ids.ts';
import { newCohortBeside, newId } from '../foundation/new-id.ts';
import { newestSubscribers } from './subscriptions.ts';

/** As many deliveries as a batch has. Environments that create webhooks at the same time can exceed it by a few. */
const maxMembers = 10;
/** As many deliveries as a batch has at most: one query reads the records for all its messages of an event. */
const maxNeighbours = 50;
/** How long an environment assumes that no other one creates webhooks for the same event. */
const knownMs = 10 * second;

interface Newest {
  readonly cohort: CohortId;
  readonly members: number;
  /** The webhooks of its neighbourhood. */
  readonly neighbours: number;
  readonly readAt: number;
}

/** By event: names of events are few. */
const newest = new Map<string, Newest>();

/** Returns the cohort of a new webhook for an event: the newest one of that event if it has room. */
export const chooseCohort = async (event: string): Promise<CohortId> => {
  const now = systemClock();
  const known = newest.get(event);
  const last = known === undefined || now - known.readAt >= knownMs ? await readNewest(event, known, now) : known;
  const chosen = last.members < maxMembers ? last : following(last, now);
  newest.set(event, { ...chosen, members: chosen.members + 1, neighbours: chosen.neighbours + 1 });
  return chosen.cohort;
};

const following = ({ cohort, neighbours }: Newest, now: number): Newest =>
  neighbours < maxNeighbours
    ? { cohort: newCohortBeside(cohort), members: 0, neighbours, readAt: now }
    : firstCohort(now);

const firstCohort = (now: number): Newest => ({ cohort: newId<CohortId>(), members: 0, neighbours: 0, readAt: now });

/** Members that have another event now are not found, but those that this environment has added are `known`. */
const readNewest = async (event: string, known: Newest | undefined, now: number): Promise<Newest> => {
  const cohorts = (await newestSubscribers(event, maxNeighbours)).map(({ cohort }) => cohort);
  const [newestCohort] = cohorts;
  if (newestCohort === undefined) return firstCohort(now);
  const neighbourhood = neighbourhoodOf(newestCohort);
  const members = cohorts.filter((cohort) => cohort === newestCohort).length;
  const neighbours = cohorts.filter((cohort) => cohort && neighbourhoodOf(cohort) === neighbourhood).length;
  const added = known?.cohort === newestCohort ? known : undefined;
  return {
    cohort: newestCohort,
    members: Math.max(members, added?.members ?? 0),
    neighbours: Math.max(neighbours, added?.neighbours ?? 0),
    readAt: now,
  };
};
