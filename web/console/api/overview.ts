/** The stage's overview. The page asks for it beside its script, because it has the webhooks that most views name. */
import type { Overview as OverviewResource } from '../../../shared/integrations/overview-resource.ts';
import { get } from './client.ts';
import type { Stats } from './resources.ts';

export type Overview = OverviewResource;
export type Period = Stats['period'];

const read = async (period: Period): Promise<Overview> =>
  (await get<{ overview: Overview }>('/admin/overview/', { period })).overview;

/** Requests that have no answer yet: who asks meanwhile gets the same one. */
const asked = new Map<Period, Promise<Overview>>();

/** The first answer is used once, by what is shown first, and not when it is older than this, in ms. */
const freshMs = 10_000;
let first: { readonly overview: Promise<Overview>; readonly at: number } | undefined;

/** Asks for the overview before it is known who uses the page. */
export const askFirst = (): void => {
  first = { overview: read('day'), at: Date.now() };
  // Without a session, it is refused.
  first.overview.catch(() => {});
};

/** Returns the first answer, if nothing has used it yet and it was not refused. */
export const takeFirst = async (): Promise<Overview | undefined> => {
  const taken = first;
  first = undefined;
  if (taken === undefined || Date.now() - taken.at > freshMs) return undefined;
  return taken.overview.catch(() => undefined);
};

/** Reads the overview of a period. @throws ApiError, OfflineError */
export const readOverview = (period: Period): Promise<Overview> => {
  const known = asked.get(period);
  if (known !== undefined) return known;
  const answer = (period === 'day' ? takeFirst() : Promise.resolve(undefined)).then((one) => one ?? read(period));
  asked.set(period, answer);
  const forget = (): boolean => asked.delete(period);
  answer.then(forget, forget);
  return answer;
};
