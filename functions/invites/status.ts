/** `GET /admin/authentication/invitation/?email=`: returns only whether an invitation to this address is open. */
import { emailAddress, emailProblem } from '../../shared/foundation/email.ts';
import { BadRequestError } from '../../shared/foundation/errors.ts';
import { type Documentation, failure, invalid } from '../../shared/http/documentation.ts';
import { openEndpoint } from '../../shared/http/endpoint.ts';
import type { Parameter } from '../../shared/http/query.ts';
import { hasOpenInvite } from '../../shared/invites/accept.ts';
import { countLookup } from '../../shared/invites/limits.ts';
import { invitationStatusResource } from '../../shared/invites/resource.ts';

const address: Parameter<string> = {
  schema: emailAddress(191),
  description: 'The address.',
  required: true,
  read: (text) => {
    const problem = text === undefined ? 'must be an email address.' : emailProblem(text, 191);
    if (text !== undefined && problem === undefined) return text;
    throw new BadRequestError(`\`email\` in the query ${problem}`, {
      property: 'email',
      help: 'Send `?email=ada%40example.com`, URL-encoded.',
    });
  },
};

export const handler = openEndpoint({
  line: 'invites/status',
  answer: { status: 200, root: 'invitation', item: invitationStatusResource },
  query: { email: address },
  handle: async ({ request, query: { email }, now, reply }) => {
    await countLookup(request.sourceIp, now);
    return reply([{ valid: await hasOpenInvite(email) }]);
  },
});

export const documentation = (): Documentation => ({
  tag: 'Acceptance',
  summary: 'Check whether an invitation is open',
  description: 'The response reveals nothing about accounts. Requests are limited per source address.',
  errors: [
    failure('BadRequestError', '`email` is not an email address', { property: 'email' }),
    invalid('email', '`email` is sent more than once'),
  ],
  examples: {
    open: {
      summary: 'An open invitation',
      query: { email: 'ada@example.com' },
      answer: [{ valid: true }],
    },
    'no-address': {
      summary: 'Without an address',
      error: new BadRequestError('`email` in the query must be an email address.', {
        property: 'email',
        help: 'Send `?email=ada%40example.com`, URL-encoded.',
      }),
    },
  },
});
