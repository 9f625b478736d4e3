/** `GET /admin/authentication/invitation/?email=`: tells anyone whether an invitation to this address is open, and nothing else. */

import { readAddress } from '../../shared/accounts/address.ts';
import { systemClock } from '../../shared/foundation/clock.ts';
import { settings } from '../../shared/foundation/environment.ts';
import { BadRequestError } from '../../shared/foundation/errors.ts';
import { openEndpoint } from '../../shared/http/endpoint.ts';
import { ok } from '../../shared/http/response.ts';
import { hasOpenInvite } from '../../shared/invites/accept.ts';
import { countLookup } from '../../shared/invites/limits.ts';
import { isEmail } from '../../shared/invites/schema.ts';
import { readInvite } from '../../shared/invites/store.ts';
import { takeAll } from '../../shared/limits/store.ts';

const ports = { readInvite, readAddress, clock: systemClock };

export const handler = openEndpoint({
  line: 'invites/status',
  handle: async ({ request, now }) => {
    const { email } = request.query;
    if (email === undefined || !isEmail(email))
      throw new BadRequestError('`email` in the query is not an e-mail address.', {
        property: 'email',
        help: 'Send it as `?email=ada%40example.com`, encoded as a query wants it.',
      });
    await countLookup(takeAll, request.sourceIp, now, settings().invites);
    return ok({ invitation: [{ valid: await hasOpenInvite(ports, email) }] });
  },
});
