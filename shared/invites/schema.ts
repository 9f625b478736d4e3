/** What clients may send about an invite (wire contract, "Field rules" and "Invites"). */
import * as v from 'valibot';
import { emailAddress } from '../foundation/email.ts';
import { maxChars, text } from '../foundation/fields.ts';
import { type InviteId, idPattern, type RoleId } from '../foundation/ids.ts';
import { oneLine } from '../foundation/text.ts';
import { inviteStates } from './invite.ts';

const email = emailAddress(191);

/** Whether a text is an address that can be invited. */
export const isEmail = (value: string): boolean => v.is(email, value);

/** Not even a role's id is checked for its form: one that names no role is answered 404 (wire contract). */
export const newInvite = v.object(
  {
    role_id: v.pipe(
      v.string('must be a string: the id of a role, see GET /admin/roles/.'),
      v.transform((id) => id as RoleId),
    ),
    email,
  },
  'must be an object.',
);

export type NewInvite = v.InferOutput<typeof newInvite>;

/** Longest name of a person, in characters, as everywhere in the contract. */
export const longestName = 191;

/** Shortest password, in characters. It is checked here, for the clients' sake, and goes no further. */
const shortestPassword = 10;

/** Somebody who accepts an invite with the token of its link. */
export const newAcceptance = v.object(
  {
    token: v.pipe(text, v.minLength(1, 'must not be empty.')),
    email: v.optional(email),
    name: v.pipe(text, maxChars(longestName), v.transform(oneLine), v.minLength(1, 'must not be empty.')),
    password: v.pipe(
      text,
      v.check(
        (password) => [...password].length >= shortestPassword,
        `must have at least ${shortestPassword} characters.`,
      ),
    ),
  },
  'must be an object.',
);

/** `?status=` of the list. */
export const inviteStatus = v.picklist(inviteStates);

/** What the mail queue carries: an id alone, since tokens are made by the mailer and never lie in a queue. */
export const mailMessage = v.object({
  invite_id: v.pipe(
    v.string(),
    v.regex(idPattern),
    v.transform((id) => id as InviteId),
  ),
  /** How often it came back to the queue. */
  waits: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 0),
});
