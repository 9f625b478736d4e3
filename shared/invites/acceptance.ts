/** The request and the response of accepting an invitation without a key. */
import * as v from 'valibot';
import { emailAddress } from '../foundation/email.ts';
import { requestItem, text } from '../foundation/fields.ts';
import { personName } from '../foundation/person-name.ts';
import { field, resource } from '../foundation/resource.ts';
import { oneLine } from '../foundation/text.ts';

export const acceptanceResource = resource('Acceptance', {
  message: field(v.string(), 'A confirmation for people.', 'Invitation accepted.'),
});

/** Only checked, for the sake of clients: Masthead does not store passwords. */
const minPasswordLength = 10;

export const newAcceptance = requestItem('NewAcceptance', {
  token: field(v.pipe(text, v.minLength(1, 'must not be empty.')), 'The token at the end of the link in the mail.'),
  email: field(v.optional(emailAddress(191)), 'The invited address, compared case-insensitively.'),
  name: v.pipe(
    field(personName, 'The name of the new staff member, without web addresses and control characters.'),
    v.transform(oneLine),
  ),
  password: field(
    v.pipe(
      text,
      v.check(
        (password) => [...password].length >= minPasswordLength,
        `must have at least ${minPasswordLength} characters.`,
      ),
    ),
    'At least 10 characters. Masthead does not store passwords.',
  ),
});
