/** Finds out whether an integration may publish. A permission is cached for four seconds, like the key. */
import { maxAgeMs } from '../accounts/find-api-key.ts';
import { createCache } from '../foundation/cache.ts';
import { type Clock, systemClock } from '../foundation/clock.ts';
import type { IntegrationId } from '../foundation/ids.ts';
import type { Integration } from './integration.ts';
import { readIntegration } from './store.ts';

interface Ports {
  readonly readIntegration: (id: IntegrationId) => Promise<Pick<Integration, 'can_publish'> | undefined>;
  readonly clock: Clock;
}

/** Creates a finder with its own cache. Refusals are not cached, so that a new permission takes effect at once. */
export const publisherFinder = ({ readIntegration, clock }: Ports): ((id: IntegrationId) => Promise<boolean>) => {
  /** When the permission was read, in epoch ms. */
  const permitted = createCache<IntegrationId, number>({ max: 500 });
  return async (id) => {
    const readAt = clock();
    const knownSince = permitted.get(id);
    if (knownSince !== undefined && readAt - knownSince < maxAgeMs) return true;
    const integration = await readIntegration(id);
    if (integration?.can_publish !== true) return false;
    permitted.set(id, readAt);
    return true;
  };
};

export const mayPublish = publisherFinder({ readIntegration, clock: systemClock });
