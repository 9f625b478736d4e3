/** An invite: the fields that clients see, additional stored fields, and its state. */
import type { Address } from '../accounts/address.ts';
import type { ApiKeyOwner } from '../accounts/api-key.ts';
import { day, second, timestamp } from '../foundation/clock.ts';
import { type InviteId, type StaffId, timeOfId } from '../foundation/ids.ts';
import { present, type SettableName } from '../foundation/resource.ts';
import type { Settings } from '../foundation/settings.ts';
import { type InviteResource, type InviteState, inviteResource } from './resource.ts';

/** States in which an invite can be accepted; they only describe the mail. */
export const openStates = ['pending', 'sent', 'bounced', 'complained'] as const satisfies readonly InviteState[];

/** When a state began (ISO), and the reason given by the mail system, if any. */
export interface StateChange {
  readonly status: InviteState;
  readonly at: string;
  readonly reason?: string;
}

export interface Invite extends Omit<InviteResource, 'history' | 'link'> {
  /** The name of the role when the invite was created. */
  readonly role: string;
  /** The staff member who invites: named in the mail, and replies go to them. Null for an integration. */
  readonly inviter: { readonly name: string; readonly email: string } | null;
  /** The inviter. If the inviter is removed, the invite is revoked. */
  readonly invited_by: ApiKeyOwner;
  /** Starts at 1 and grows with each resend, so that messages of earlier mailings change nothing. */
  readonly mailing: number;
  /** Set while the response has the only link: no mail has proved that the address is the member's. */
  readonly without_mail?: true;
  /** How often a worker started to mail this mailing. */
  readonly attempts: number;
  /** Until when a worker has claimed the invite, in epoch ms. */
  readonly claimed_until?: number;
  /** Hashes of this mailing's tokens, at most five, each of which works; tokens are never stored. */
  readonly token_hashes: readonly string[];
  /** Hashes of earlier mailings' tokens: dead, but the page distinguishes them from unknown ones. */
  readonly old_token_hashes: readonly string[];
  readonly history: readonly StateChange[];
  /** The member who accepted it, and the hash of the nonce of the page's form that did. */
  readonly accepted_by?: StaffId;
  readonly accepted_form?: string;
  /** Whether staff have revoked it, so that its bounce no longer counts (`bounces.ts`). */
  readonly is_forgiven?: true;
  /** When DynamoDB may delete it, in epoch seconds. */
  readonly expires_at: number;
}

/** Returns when a mailing's link expires (epoch ms), and when the invite, an audit entry, may go (epoch s). */
export const endsOf = (
  id: InviteId,
  now: number,
  { invites, audit }: Pick<Settings, 'invites' | 'audit'>,
): Pick<Invite, 'expires' | 'expires_at'> => {
  const expires = now + invites.expireAfterDays * day;
  const kept = Math.max(expires + invites.keepDays * day, timeOfId(id) + audit.keepDays * day);
  return { expires, expires_at: Math.floor(kept / second) };
};

/** What the request and its caller decide about an invite. */
type Beginning = Pick<Invite, SettableName<typeof inviteResource> | 'id' | 'role' | 'invited_by' | 'inviter'>;

/** Returns an invite as it begins at `now`: its mail is pending, and it has no token yet. */
export const newInviteOf = (beginning: Beginning, now: number, stage: Pick<Settings, 'invites' | 'audit'>): Invite => {
  const at = timestamp(now);
  return {
    ...beginning,
    status: 'pending',
    ...endsOf(beginning.id, now, stage),
    created_at: at,
    updated_at: at,
    mailing: 1,
    attempts: 0,
    token_hashes: [],
    old_token_hashes: [],
    history: [{ status: 'pending', at }],
  };
};

/** Whether an invite in this state can still change without a write (`asOf`). */
export const isOpen = (state: InviteState): boolean => (openStates as readonly InviteState[]).includes(state);

/** Returns the invite as of `now`: it becomes replaced, revoked (by a lost right) or expired without a write. */
export const asOf = (invite: Invite, address: Address | undefined, mayInvite: boolean, now: number): Invite => {
  if (!isOpen(invite.status)) return invite;
  if (address?.invite_id !== invite.id) return changedTo(invite, 'replaced', replacedAt(invite, address));
  if (address.holder === 'staff') return changedTo(invite, 'accepted', timestamp(now));
  if (!mayInvite) return changedTo(invite, 'revoked', invite.updated_at);
  const unanswered = invite.status === 'pending' || invite.status === 'sent';
  return unanswered && invite.expires <= now ? changedTo(invite, 'expired', timestamp(invite.expires)) : invite;
};

const replacedAt = (invite: Invite, address: Address | undefined): string =>
  address?.invite_id === undefined
    ? invite.updated_at
    : timestamp(Math.max(timeOfId(address.invite_id), timeOfId(invite.id)));

const changedTo = (invite: Invite, status: InviteState, at: string): Invite => ({
  ...invite,
  status,
  updated_at: at,
  history: [...invite.history, { status, at }],
});

/** Whether the links of an invite as of `now` (epoch ms) work. */
export const canBeAccepted = (invite: Invite, now: number): boolean => isOpen(invite.status) && invite.expires > now;

/** Presents an invite, with its history on request; its link only in the response to the request that made it. */
export const presentInvite = (
  invite: Invite,
  { withHistory = false, link }: { readonly withHistory?: boolean; readonly link?: string | undefined } = {},
): InviteResource =>
  present(inviteResource, {
    ...invite,
    link,
    history: withHistory ? invite.history.map((change) => ({ reason: null, ...change })) : undefined,
  });
