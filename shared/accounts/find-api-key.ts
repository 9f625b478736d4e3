/** Finds the API key that a token names, and its owner; both are cached for a minute in each environment. */
import { createCache } from '../foundation/cache.ts';
import type { Caller, FindApiKey } from '../foundation/caller.ts';
import { type Clock, minute, systemClock } from '../foundation/clock.ts';
import type { ApiKeyId, StaffId } from '../foundation/ids.ts';
import type { ApiKey } from './api-key.ts';
import { readApiKey } from './api-key-store.ts';
import type { StaffMember } from './staff-member.ts';
import { readStaffMember } from './staff-store.ts';

interface Ports {
  readonly readApiKey: (id: ApiKeyId) => Promise<ApiKey | undefined>;
  readonly readStaffMember: (id: StaffId) => Promise<StaffMember | undefined>;
  readonly clock: Clock;
}

/** Creates a finder with a cache of its own. The key of a removed staff member is unknown. */
export const apiKeyFinder = ({ readApiKey, readStaffMember, clock }: Ports): FindApiKey => {
  // A minute: a deleted key or a changed role takes effect everywhere after that (docs/compatibility.md, "Authentication").
  // Unknown ids are not cached, so that hostile clients cannot fill the cache and a new key works at once.
  const cache = createCache<ApiKeyId, NonNullable<Awaited<ReturnType<FindApiKey>>>>({
    max: 500,
    maxAgeMs: minute,
    clock,
  });
  return async (kid) => {
    const known = cache.get(kid);
    if (known !== undefined) return known;
    const key = await readApiKey(kid);
    const caller = key && (await callerOf(key, readStaffMember));
    if (key === undefined || caller === undefined) return undefined;
    const found = { secret: key.secret, caller };
    cache.set(kid, found);
    return found;
  };
};

const callerOf = async (key: ApiKey, readStaffMember: Ports['readStaffMember']): Promise<Caller | undefined> => {
  if (key.owner.kind === 'integration')
    return { kind: 'integration', keyId: key.id, integrationId: key.owner.integration_id };
  const member = await readStaffMember(key.owner.staff_id);
  return (
    member && {
      kind: 'staff',
      keyId: key.id,
      staffId: member.id,
      role: member.role,
      name: member.name,
      email: member.email,
    }
  );
};

/** The finder of this environment. */
export const findApiKey: FindApiKey = apiKeyFinder({ readApiKey, readStaffMember, clock: systemClock });
