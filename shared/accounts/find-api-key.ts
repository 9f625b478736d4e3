/** Finding the key that a token names, and whose it is, remembered for a minute in each environment. */

import type { Caller, FindKey } from '../foundation/caller.ts';
import { type Clock, minute, systemClock } from '../foundation/clock.ts';
import type { KeyId, StaffId } from '../foundation/ids.ts';
import type { ApiKey } from './api-key.ts';
import { readApiKey } from './api-key-store.ts';
import type { StaffMember } from './staff-member.ts';
import { readStaffMember } from './staff-store.ts';

type Found = Awaited<ReturnType<FindKey>>;

/** Kept so long, so that a deleted key or a changed role counts everywhere after a minute (wire contract). */
const keptMs = minute;
/** So many keys are kept; unknown ids from hostile clients are not kept at all. */
const keptKeys = 500;

interface Ports {
  readonly readApiKey: (id: KeyId) => Promise<ApiKey | undefined>;
  readonly readStaffMember: (id: StaffId) => Promise<StaffMember | undefined>;
  readonly clock: Clock;
}

/** Makes a finder with a memory of its own. A staff member who is gone has no key any more. */
export const keyFinder = ({ readApiKey, readStaffMember, clock }: Ports): FindKey => {
  const kept = new Map<KeyId, { readonly until: number; readonly found: NonNullable<Found> }>();
  return async (kid) => {
    const known = kept.get(kid);
    if (known !== undefined && known.until > clock()) return known.found;
    kept.delete(kid);
    const key = await readApiKey(kid);
    const caller = key && (await callerOf(key, readStaffMember));
    if (key === undefined || caller === undefined) return undefined;
    const found = { secret: key.secret, caller };
    const [oldest] = kept.keys();
    if (kept.size >= keptKeys && oldest !== undefined) kept.delete(oldest);
    kept.set(kid, { until: clock() + keptMs, found });
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
export const findKey: FindKey = keyFinder({ readApiKey, readStaffMember, clock: systemClock });
