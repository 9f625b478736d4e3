/** The resource of an invite: its fields and states. Browsers read their types from here. */
import * as v from 'valibot';
import type { InviteId, RoleId } from '../foundation/ids.ts';
import { field, idSchema, initial, type Resource, resource, timeSchema } from '../foundation/resource.ts';

/** `pending` until SES has accepted the mail; links of `revoked` and `replaced` invites are dead. */
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

const stateChange = v.strictObject({
  status: field(v.picklist(inviteStates), 'The state.'),
  at: field(timeSchema, 'When the state began.'),
  reason: field(v.nullable(v.string()), 'The reason given by the mail system, if any.'),
});

export const inviteResource = resource('Invite', {
  id: field(idSchema<InviteId>(), 'The id of the invite.'),
  role_id: initial(field(idSchema<RoleId>(), 'The role of the new staff member; GET /admin/roles/ lists the roles.')),
  status: field(
    v.picklist(inviteStates),
    '`pending` until the mail system has accepted the mail, then `sent`; ' +
      'without a mail it stays `pending`. `bounced` and `complained` are about the mail: the link still works. ' +
      'In the other states it is dead.',
  ),
  email: initial(field(v.string(), 'The invited address, as entered; compared case-insensitively.', 'Ada@example.com')),
  expires: field(v.pipe(v.number(), v.integer()), 'When the link expires, in epoch milliseconds.', 1795857600000),
  created_at: field(timeSchema, 'When the invite was created.'),
  updated_at: field(timeSchema, 'When the invite last changed.'),
  link: field(
    v.optional(v.string()),
    'The link that accepts the invite; only in the response to the request that creates it with `send_email: false`, ' +
      'and not returned again.',
  ),
  history: field(v.optional(v.array(stateChange)), 'All states, oldest first; only with `include=history`.'),
});

export type InviteResource = Resource<typeof inviteResource>;

export const invitationStatusResource = resource('InvitationStatus', {
  valid: field(v.boolean(), 'Whether an invitation to this address is open.', true),
});
