/** An invite: what is kept of it, in which state it is, and what clients see. */

import type { Address } from '../accounts/address.ts';
import { timestamp } from '../foundation/clock.ts';
import { type InviteId, type RoleId, timeOfId } from '../foundation/ids.ts';
import type { InviteResponse } from './response.ts';

/** `pending` until the mail system took its mail; `revoked` and `replaced` ones are dead. */
export const inviteStates = [
  'pending',
  'sent',
  'accepted',
  'bounced',
  'complained',
  'expired',
  'revoked',
  'replaced',
] as const;
export type InviteState = (typeof inviteStates)[number];

/** States that say something of the mail only: whoever has the link can still accept. */
export const openStates = ['pending', 'sent', 'bounced', 'complained'] as const satisfies readonly InviteState[];

/** When a state began (ISO), and why, where the mail system gave a reason. */
export interface StateChange {
  readonly status: InviteState;
  readonly at: string;
  readonly reason?: string;
}

export interface Invite {
  readonly id: InviteId;
  readonly role_id: RoleId;
  /** Name of the role, as it was given. */
  readonly role: string;
  readonly status: InviteState;
  readonly email: string;
  /** Epoch ms. */
  readonly expires: number;
  readonly created_at: string;
  readonly updated_at: string;
  /** Who invites, where a staff member's key did: mails name them and answers go there. */
  readonly inviter: { readonly name: string; readonly email: string } | null;
  /** 1, and one more for each time it was sent again: what belongs to an earlier mailing changes nothing. */
  readonly mailing: number;
  /** How often a worker began to mail this mailing. */
  readonly attempts: number;
  /** Until when a worker has it for itself, in epoch ms. */
  readonly claimed_until?: number;
  /** Hashes of this mailing's tokens, five at most, each of which works; never the tokens. */
  readonly token_hashes: readonly string[];
  /** Hashes of earlier mailings' tokens: dead, but a page can tell them from what was never a link. */
  readonly old_token_hashes: readonly string[];
  readonly history: readonly StateChange[];
}

const isOpen = (state: InviteState): boolean => (openStates as readonly InviteState[]).includes(state);

/**
 * The invite as it is at `now` (epoch ms), seen with the guard of its address, which may have been read a moment later: then it
 * may say already that the invite is accepted. Two states come without a write: `replaced` from the moment at which the
 * address points elsewhere, and `expired` when the time of one that was not answered is over.
 */
export const asOf = (invite: Invite, address: Address | undefined, now: number): Invite => {
  if (!isOpen(invite.status)) return invite;
  if (address?.invite_id !== invite.id) return changedTo(invite, 'replaced', replacedAt(invite, address));
  if (address.holder === 'staff') return changedTo(invite, 'accepted', timestamp(now));
  const unanswered = invite.status === 'pending' || invite.status === 'sent';
  return unanswered && invite.expires <= now ? changedTo(invite, 'expired', timestamp(invite.expires)) : invite;
};

/** When the newer invite was made, where that is known. */
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

/** Whether its links work, for an invite as of now. */
export const canBeAccepted = (invite: Invite, now: number): boolean => isOpen(invite.status) && invite.expires > now;

/** The seven fields of the contract, and the history where it is asked for. */
export const presentInvite = (invite: Invite, { withHistory = false } = {}): InviteResponse => ({
  id: invite.id,
  role_id: invite.role_id,
  status: invite.status,
  email: invite.email,
  expires: invite.expires,
  created_at: invite.created_at,
  updated_at: invite.updated_at,
  ...(withHistory && { history: invite.history.map(({ status, at, reason = null }) => ({ status, at, reason })) }),
});
