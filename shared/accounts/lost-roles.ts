/**
 * When a member last lost the right to assign a role. Earlier invites for it stay revoked, even if the right returns:
 * everybody has seen them as revoked, and a stolen key may have sent them.
 */
import { timestamp } from '../foundation/clock.ts';
import { anyOf, below, type Condition, missing } from '../table/condition.ts';
import { assignableRoles, type CustomRoles, roleId } from './role.ts';

/** Attributes of a staff member: an ISO time for each role. */
export interface LostRoles {
  readonly [attribute: `lost_${string}`]: string | undefined;
}

const attributeOf = (role: string) => `lost_${roleId(role)}` as const;

/** Returns the attributes of a member whose role changes at a time in epoch ms. */
export const lossesBetween = (before: string, after: string, custom: CustomRoles, at: number): LostRoles => {
  const kept = assignableRoles({ kind: 'staff', role: after }, custom);
  const lost = assignableRoles({ kind: 'staff', role: before }, custom).filter((role) => !kept.includes(role));
  return Object.fromEntries(lost.map((role) => [attributeOf(role), timestamp(at)]));
};

/** Whether the member has lost the right to assign a role since an ISO time. */
export const hasLostSince = (member: LostRoles, role: string, since: string): boolean =>
  (member[attributeOf(role)] ?? '') >= since;

/** Holds for a member who has not lost the right to assign a role since an ISO time. */
export const hasKeptSince = (role: string, since: string): Condition =>
  anyOf(missing(attributeOf(role)), below(attributeOf(role), since));
