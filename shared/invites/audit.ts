/** Invites in the audit log: an invite's record is its entry, so that 50 invites fit into a request's 100 writes. */
import { changesBetween } from '../audit/entry.ts';
import type { AuditSource } from '../audit/list.ts';
import type { Actor, Target } from '../audit/resource.ts';
import type { AuditId } from '../foundation/ids.ts';
import { settableFields } from '../foundation/resource.ts';
import type { Invite } from './invite.ts';
import { inviteResource } from './resource.ts';
import { rangeOfInvites } from './store.ts';

/** Returns an invite as a target of the audit log. */
export const asTarget = ({ id, email }: Pick<Invite, 'id' | 'email'>): Target => ({ type: 'invite', id, name: email });

const actorOf = ({ invited_by, inviter }: Invite): Actor =>
  invited_by.kind === 'staff'
    ? { type: 'staff', id: invited_by.staff_id, name: inviter?.name ?? null }
    : { type: 'integration', id: invited_by.integration_id, name: null };

/** Returns the fields of an invite whose values the audit log shows; the address is its target. */
const shownToAudit = (invite: Invite) => {
  const { role_id: _id, email: _email, ...fields } = settableFields(inviteResource, invite);
  // Whoever got the link can join with the invited address.
  return { role: invite.role, ...fields, ...(invite.without_mail && { send_email: false }) };
};

/** The creations of invites as entries of the audit log. */
export const createdInvites: AuditSource = async (range) => {
  const { invites, isComplete } = await rangeOfInvites(range);
  return {
    entries: invites.map((invite) => ({
      id: invite.id as string as AuditId,
      actor: actorOf(invite),
      action: 'invite.created',
      target: asTarget(invite),
      changes: changesBetween({}, shownToAudit(invite)),
    })),
    isComplete,
  };
};
