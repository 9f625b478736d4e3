/** `POST /admin/authentication/invitation/`: accepts an invitation with the token of its link; it works once. */

import { normalizedEmail } from '../../shared/accounts/address.ts';
import { NotFoundError, ValidationError } from '../../shared/foundation/errors.ts';
import { openEndpoint } from '../../shared/http/endpoint.ts';
import { ok } from '../../shared/http/response.ts';
import { accept, type DeadLink } from '../../shared/invites/accept.ts';
import { acceptancePorts } from '../../shared/invites/acceptance.ts';
import { newAcceptance } from '../../shared/invites/schema.ts';

export const handler = openEndpoint({
  line: 'invites/accept',
  body: () => ({ root: 'invitation', item: newAcceptance, max: 1 }),
  handle: async ({ items: [{ token, name, email }] }) => {
    // The password ends here: its length is checked, and Masthead has no use for it.
    const end = await accept(acceptancePorts, { token, name }, (invited) => {
      if (email !== undefined && normalizedEmail(email) !== normalizedEmail(invited))
        throw new ValidationError('`email` is not the address that was invited.', {
          property: 'email',
          help: 'Send the address that the invitation was mailed to, or leave it out.',
        });
    });
    if (end.state === 'accepted') return ok({ invitation: [{ message: 'Invitation accepted.' }] });
    throw new NotFoundError(deadLinks[end.state], {
      property: 'token',
      help: 'Ask for the invitation to be sent again: a new mail has a new link.',
    });
  },
});

const deadLinks: Readonly<Record<DeadLink, string>> = {
  unknown: 'No invitation has this token.',
  used: 'The invitation of this token has been accepted already.',
  expired: 'The invitation of this token has expired.',
  revoked: 'The invitation of this token was revoked.',
  superseded: 'There is a newer mail for this invitation, and its token works in place of this one.',
};
