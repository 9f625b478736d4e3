/** `POST /admin/users/{id}/email/`: asks for another address of a staff member (`me`: the caller), by a link to it. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import * as example from '../../shared/accounts/example.ts';
import { staffOnly } from '../../shared/foundation/caller.ts';
import { NoPermissionError } from '../../shared/foundation/errors.ts';
import type { StaffId } from '../../shared/foundation/ids.ts';
import { type Documentation, failure, forbidden, invalid } from '../../shared/http/documentation.ts';
import { requestAddress } from '../../shared/sign-in/change-address.ts';
import { addressResource, newAddress } from '../../shared/sign-in/schema.ts';

export const handler = endpoint({
  line: 'users/change-email',
  knowsMe: true,
  body: { root: 'emails', item: newAddress, max: 1 },
  answer: { status: 202, root: 'emails', item: addressResource },
  handle: async ({ id, items: [{ email }], caller, now, reply }) => {
    await requestAddress(id<StaffId>(), email, staffOnly(caller), now);
    return reply([{ email }]);
  },
});

export const documentation = (): Documentation => ({
  tag: 'Staff',
  summary: 'Change the address of a staff member',
  description:
    'The new address gets a link that works once, for a day. Whoever confirms it is signed in, the address is the ' +
    'new one, and all other sessions and links end. The old address gets a mail now and then. ' +
    'A later request replaces an earlier one, and one for the present address only withdraws it. ' +
    'The Owner and Administrators can ask for others, except the Owner. ' +
    'Everyone can ask for themselves, in a session that began within the last 15 minutes.',
  errors: [
    example.otherMember,
    example.ofOwner,
    forbidden('it is the caller, and the request has a key instead of a session'),
    failure('NoPermissionError', 'it is the caller, and the session began more than 15 minutes ago', {
      code: 'SIGN_IN_AGAIN',
    }),
    invalid('id', 'the member is suspended'),
    failure('ValidationError', 'the address belongs to another member', {
      code: 'USER_ALREADY_REGISTERED',
      property: 'email',
    }),
  ],
  examples: {
    other: {
      summary: 'Ada has another mailbox',
      path: { id: example.id },
      body: [{ email: 'ada@example.org' }],
      answer: [{ email: 'ada@example.org' }],
    },
    key: {
      summary: 'A key does not move its own member to another mailbox',
      path: { id: 'me' },
      body: [{ email: 'olive@example.org' }],
      error: new NoPermissionError('A key cannot do this.', { help: 'Sign in to the console with a link by mail.' }),
    },
  },
});
