/** Creates ids: the time, then random characters. */
import { randomBytes } from 'node:crypto';
import { type AnyId, type CohortId, idTime, neighbourhoodOf, type WebhookId } from './ids.ts';

/** The source of ids: 12 hex characters of the millisecond, 12 random ones. Those of webhooks depend on their cohort. */
export const newId = <T extends Exclude<AnyId, WebhookId>>(): T =>
  (idTime(Date.now()) + randomBytes(6).toString('hex')) as T;

/** Returns a new id in a neighbourhood. Its last four characters are random: one of 65,536 is taken if another one has the same millisecond. */
const newNeighbour = (neighbour: CohortId): string =>
  idTime(Date.now()) + neighbourhoodOf(neighbour) + randomBytes(2).toString('hex');

/** Returns a new id for a webhook of this cohort. */
export const newWebhookId = (cohort: CohortId): WebhookId => newNeighbour(cohort) as WebhookId;

/** Returns the id of a new cohort in the neighbourhood of another one. Two that have the same id are one cohort. */
export const newCohortBeside = (cohort: CohortId): CohortId => newNeighbour(cohort) as CohortId;
