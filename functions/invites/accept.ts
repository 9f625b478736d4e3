/** `POST /admin/authentication/invitation/`: accepts an invitation with the token of its link; the token works once. */
import { normalizedEmail } from '../../shared/foundation/email.ts';
import { NotFoundError, ValidationError } from '../../shared/foundation/errors.ts';
import { type Documentation, failure, invalid } from '../../shared/http/documentation.ts';
import { openEndpoint } from '../../shared/http/endpoint.ts';
import { accept, type DeadLink } from '../../shared/invites/accept.ts';
import { acceptanceResource, newAcceptance } from '../../shared/invites/acceptance.ts';
import * as example from '../../shared/invites/example.ts';

export const handler = openEndpoint({
  line: 'invites/accept',
  body: { root: 'invitation', item: newAcceptance, max: 1 },
  // The password is only checked for its length: Masthead does not use it.
  answer: { status: 200, root: 'invitation', item: acceptanceResource },
  handle: async ({ items: [{ token, name, email }], reply }) => {
    const end = await accept({ token, name }, (invited) => {
      if (email !== undefined && normalizedEmail(email) !== normalizedEmail(invited))
        throw new ValidationError('`email` is not the invited address.', {
          property: 'email',
          help: 'Send the address that received the invitation, or omit `email`.',
        });
    });
    if (end.state === 'accepted') return reply([{ message: 'Invitation accepted.' }]);
    const [message, help] = deadLinks[end.state];
    throw new NotFoundError(message, { property: 'token', help });
  },
});

const deadLinks: Readonly<Record<DeadLink, readonly [message: string, help: string]>> = {
  unknown: ['No invitation has this token.', 'Copy the whole token from the link.'],
  used: ['The invitation with this token has already been accepted.', 'Sign in with the invited address.'],
  expired: [
    'The invitation with this token has expired.',
    'Ask for the invitation to be resent: the new mail has a new link.',
  ],
  revoked: ['The invitation with this token was revoked.', 'Ask for a new invitation.'],
  superseded: ['A newer mail for this invitation has replaced this token.', 'Use the link in the newest mail.'],
};

export const documentation = (): Documentation => ({
  tag: 'Acceptance',
  summary: 'Accept an invitation',
  description:
    'The token works once; of two concurrent requests one succeeds. The length of the password is checked, and the ' +
    'password is discarded.',
  errors: [
    failure('NotFoundError', 'the token is unknown, was used, has expired, was revoked or was replaced', {
      property: 'token',
    }),
    invalid('email', '`email` is not the invited address'),
  ],
  examples: {
    accept: {
      summary: 'Ada joins',
      body: [
        {
          token: example.token('Ada@example.com'),
          email: 'ada@example.com',
          name: 'Ada',
          password: 'a long passphrase',
        },
      ],
      answer: [{ message: 'Invitation accepted.' }],
    },
    again: {
      summary: 'The same token again',
      body: [{ token: example.token('Ada@example.com'), name: 'Eve', password: 'a long passphrase' }],
      error: new NotFoundError('The invitation with this token has already been accepted.', {
        property: 'token',
        help: 'Sign in with the invited address.',
      }),
    },
  },
});
