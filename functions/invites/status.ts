/** `GET /admin/authentication/invitation/?email=`: returns whether an invitation to this address is open, and nothing else. */
import { emailProblem } from '../../shared/foundation/email.ts';
import { BadRequestError } from '../../shared/foundation/errors.ts';
import { openEndpoint } from '../../shared/http/endpoint.ts';
import { ok } from '../../shared/http/response.ts';
import { hasOpenInvite } from '../../shared/invites/accept.ts';
import { countLookup } from '../../shared/invites/limits.ts';

export const handler = openEndpoint({
  line: 'invites/status',
  handle: async ({ request, now }) => {
    const { email } = request.query;
    const problem = email === undefined ? 'must be an email address.' : emailProblem(email, 191);
    if (email === undefined || problem !== undefined)
      throw new BadRequestError(`\`email\` in the query ${problem}`, {
        property: 'email',
        help: 'Send `?email=ada%40example.com`, URL-encoded.',
      });
    await countLookup(request.sourceIp, now);
    return ok({ invitation: [{ valid: await hasOpenInvite(email) }] });
  },
});
