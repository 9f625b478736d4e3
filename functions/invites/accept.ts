/** `POST /admin/authentication/invitation/`: accepts an invitation with the token of its link; the token works once. */
import { normalizedEmail } from '../../shared/accounts/address.ts';
import { NotFoundError, ValidationError } from '../../shared/foundation/errors.ts';
import { openEndpoint } from '../../shared/http/endpoint.ts';
import { ok } from '../../shared/http/response.ts';
import { accept, type DeadLink } from '../../shared/invites/accept.ts';
import { newAcceptance } from '../../shared/invites/acceptance.ts';

export const handler = openEndpoint({
  line: 'invites/accept',
  body: () => ({ root: 'invitation', item: newAcceptance, max: 1 }),
  // The password is only checked for its length: Masthead does not use it.
  handle: async ({ items: [{ token, name, email }] }) => {
    const end = await accept({ token, name }, (invited) => {
      if (email !== undefined && normalizedEmail(email) !== normalizedEmail(invited))
        throw new ValidationError('`email` is not the invited address.', {
          property: 'email',
          help: 'Send the address that received the invitation, or omit `email`.',
        });
    });
    if (end.state === 'accepted') return ok({ invitation: [{ message: 'Invitation accepted.' }] });
    throw new NotFoundError(deadLinks[end.state], {
      property: 'token',
      help: 'Ask for the invitation to be resent: the new mail has a new link.',
    });
  },
});

const deadLinks: Readonly<Record<DeadLink, string>> = {
  unknown: 'No invitation has this token.',
  used: 'The invitation with this token has already been accepted.',
  expired: 'The invitation with this token has expired.',
  revoked: 'The invitation with this token was revoked.',
  superseded: 'A newer mail for this invitation has replaced this token.',
};
