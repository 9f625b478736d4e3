/** Finds the API key that a token names, and its owner; both are cached for four seconds in each environment. */
import { createCache } from '../foundation/cache.ts';
import type { Caller, FindApiKey } from '../foundation/caller.ts';
import { type Clock, second, systemClock } from '../foundation/clock.ts';
import type { ApiKeyId, StaffId } from '../foundation/ids.ts';
import { type ApiKey, isOver } from './api-key.ts';
import { readApiKey } from './api-key-store.ts';
import { isSuspended, type StaffMember } from './staff-member.ts';
import { readStaffMember } from './staff-store.ts';

interface Ports {
  readonly readApiKey: (id: ApiKeyId) => Promise<ApiKey | undefined>;
  readonly readStaffMember: (id: StaffId) => Promise<StaffMember | undefined>;
  readonly clock: Clock;
}

/** Removed keys end within five seconds (docs/security.md): four of cache, and one until authority is confirmed. */
export const maxAgeMs = 4 * second;

type Found = NonNullable<Awaited<ReturnType<FindApiKey>>>;

/** Creates a finder with its own cache. The key of a removed staff member counts as unknown. */
export const apiKeyFinder = ({ readApiKey, readStaffMember, clock }: Ports): FindApiKey => {
  // Unknown ids are not cached, so that hostile clients cannot fill the cache and a new key works at once.
  const cache = createCache<ApiKeyId, { readonly readAt: number; readonly key: ApiKey; readonly found: Found }>({
    max: 500,
  });
  const find = async (kid: ApiKeyId): Promise<Found | undefined> => {
    const readAt = clock();
    const cached = cache.get(kid);
    if (cached !== undefined && readAt - cached.readAt < maxAgeMs)
      return isOver(cached.key, readAt) ? undefined : cached.found;
    const key = await readApiKey(kid);
    const caller = key && (await callerOf(key, readStaffMember));
    if (key === undefined || caller === undefined || isOver(key, readAt)) {
      cache.remove(kid);
      return undefined;
    }
    const found = { secret: key.secret, caller };
    cache.set(kid, { readAt, key, found });
    return found;
  };
  return Object.assign(find, { known: (kid: ApiKeyId) => cache.get(kid)?.found.secret });
};

const callerOf = async (key: ApiKey, readStaffMember: Ports['readStaffMember']): Promise<Caller | undefined> => {
  if (key.owner.kind === 'integration')
    return {
      kind: 'integration',
      keyId: key.id,
      integrationId: key.owner.integration_id,
      ...(key.scopes && { scopes: key.scopes }),
    };
  const member = await readStaffMember(key.owner.staff_id);
  return (
    member && {
      kind: 'staff',
      keyId: key.id,
      staffId: member.id,
      role: member.role,
      name: member.name,
      email: member.email,
      ...(isSuspended(member) && { isSuspended: true }),
    }
  );
};

export const findApiKey: FindApiKey = apiKeyFinder({ readApiKey, readStaffMember, clock: systemClock });
