/** What clients can send about invites, and the message of its mail (docs/compatibility.md, "Invites"). */
import * as v from 'valibot';
import { emailAddress } from '../foundation/email.ts';
import { creationOf, requestItem } from '../foundation/fields.ts';
import type { InviteId, RoleId } from '../foundation/ids.ts';
import { idSchema, settableEntries } from '../foundation/resource.ts';
import { inviteResource } from './resource.ts';

const email = emailAddress(191);

/** The format of the role's id is not checked: an id without a role is 404. */
export const newInvite = requestItem('NewInvite', {
  ...creationOf(settableEntries(inviteResource)),
  role_id: v.pipe(
    v.string('must be a string: the id of a role, see GET /admin/roles/.'),
    v.transform((id) => id as RoleId),
  ),
  email,
  send_email: v.optional(v.boolean('must be true or false.'), true),
});

export type NewInvite = v.InferOutput<typeof newInvite>;

/** The message of the mail queue: only an id, because the mailer creates the tokens and they are never in a queue. */
export const mailMessage = v.object({
  invite_id: idSchema<InviteId>(),
  /** How often the message went back to the queue. */
  waits: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 0),
});

export type MailMessage = v.InferOutput<typeof mailMessage>;
