/** The stage's overview. The page asks for it beside its script, because it has the webhooks that most views name. */
import type { Overview as OverviewResource } from '../../../shared/integrations/overview-resource.ts';
import { get } from './client.ts';
import type { Stats } from './resources.ts';

export type Overview = OverviewResource;
export type Period = Stats['period'];

/** Reads the overview of a period. @throws ApiError, OfflineError */
export const readOverview = async (period: Period, signal: AbortSignal): Promise<Overview> =>
  (await get<{ overview: Overview }>('/admin/overview/', { period }, signal)).overview;
