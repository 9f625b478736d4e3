/** The requests that begin a session, and the message of the mail with its link. */
import * as v from 'valibot';
import { emailAddress } from '../foundation/email.ts';
import { maxChars, requestItem, text } from '../foundation/fields.ts';
import type { InviteId, StaffId } from '../foundation/ids.ts';
import { field, idSchema, resource } from '../foundation/resource.ts';

export const newSignIn = requestItem('NewSignIn', {
  email: field(emailAddress(191), 'The address of the staff member.', 'ada@example.com'),
});

export const newSession = requestItem('NewSession', {
  token: field(
    v.pipe(text, v.minLength(1, 'must not be empty.'), maxChars(200)),
    'The token at the end of the link in the mail.',
  ),
});

export const signInResource = resource('SignIn', {
  email: field(v.string(), 'The address, as sent.', 'ada@example.com'),
});

export const newAddress = requestItem('NewAddress', {
  email: field(emailAddress(191), 'The new address. The present one withdraws an earlier request.', 'ada@example.org'),
});

export const addressResource = resource('Address', {
  email: field(v.string(), 'The address, as sent. It gets a link.', 'ada@example.org'),
});

/** The message of the mail queue: only an id, because the mailer creates the token and looks the address up. */
export const signInMessage = v.object({
  sign_in: v.object({
    /** Unknown addresses have the id of no staff member. */
    staff_id: idSchema<StaffId>(),
    /** The open invitation of the address, if no member has it. */
    invite_id: v.optional(idSchema<InviteId>()),
    /** Whether the link goes to the address that was asked for, and makes it the member's. */
    to_next_address: v.optional(v.literal(true)),
    /** Epoch ms. */
    requested_at: v.number(),
    /** How often the message went back to the queue. */
    waits: v.pipe(v.number(), v.integer(), v.minValue(0)),
  }),
});

export type SignInMessage = v.InferOutput<typeof signInMessage>;
