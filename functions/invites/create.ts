/** `POST /admin/invites/`: creates invites and requests their mails, or returns their links. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { roleId } from '../../shared/accounts/role.ts';
import { log } from '../../shared/aws/log.ts';
import { count } from '../../shared/aws/metrics.ts';
import { baseUrl } from '../../shared/foundation/environment.ts';
import { MastheadError, NoPermissionError } from '../../shared/foundation/errors.ts';
import { type Documentation, failure, forbidden } from '../../shared/http/documentation.ts';
import * as example from '../../shared/invites/example.ts';
import { createInvitesOnce } from '../../shared/invites/idempotency.ts';
import { presentInvite } from '../../shared/invites/invite.ts';
import { linkFor } from '../../shared/invites/link.ts';
import { requestMails } from '../../shared/invites/request-mails.ts';
import { inviteResource } from '../../shared/invites/resource.ts';
import { newInvite } from '../../shared/invites/schema.ts';

export const handler = endpoint({
  line: 'invites/create',
  // An invite takes two writes, and a transaction has at most 100 (AWS limit).
  body: { root: 'invites', item: newInvite, max: 50 },
  answer: { status: 201, root: 'invites', item: inviteResource },
  handle: async ({ request, items, caller, now, reply }) => {
    const made = await createInvitesOnce(request.headers['idempotency-key'], items, caller).catch((error) => {
      if (error instanceof MastheadError && error.status < 500) {
        log.add({ items: items.length });
        count('InvitesRefused', items.length);
      }
      throw error;
    });
    const ids = made.map(({ invite }) => invite.id);
    const fresh = made.filter(({ isRepeated }) => !isRepeated);
    const mails = fresh.flatMap(({ invite: { id }, mailAt }) => (mailAt === undefined ? [] : [{ id, mailAt }]));
    await requestMails(mails, now);
    count('InvitesAccepted', fresh.length);
    log.add({ invite_ids: ids });
    return reply(
      made.map(({ invite, token }) =>
        presentInvite(invite, { link: token === undefined ? undefined : linkFor(token) }),
      ),
      ids.length === 1 ? { headers: { Location: `${baseUrl()}/admin/invites/${ids[0]}/` } } : {},
    );
  },
});

export const documentation = (): Documentation => ({
  tag: 'Invites',
  summary: 'Create invites',
  description:
    'All of them or none. Roles are checked first; if one is refused, addresses are not looked at. ' +
    'Each address gets a mail with a link that works once, by default for seven days. ' +
    'Inviting an address again replaces its open invite, if the caller can assign the role of that one too: the ' +
    'old link is dead. If you have invited the address with the same role within two minutes, you get that invite ' +
    'again, without a second mail. With `send_email: false` no mail is sent, and the response has the `link`: it ' +
    'is not returned again.',
  location: 'The URL of the invite, if one item was sent.',
  headers: {
    'Idempotency-Key':
      '1 to 255 visible ASCII characters, for example a UUID. For a day, a repeat with the same key and items ' +
      'returns the same invites as they are now, without mail or `link`.',
  },
  errors: [
    failure('NotFoundError', 'no role has this `role_id`', { property: 'role_id' }),
    forbidden('the caller cannot assign this role'),
    { ...forbidden('only the Owner and Administrators can create a link without mail'), property: 'send_email' },
    { ...forbidden('the address has an open invite for a role that the caller cannot assign'), property: 'email' },
    example.registered('all roles are right, and a staff member has this address'),
    example.stopped,
    failure('ValidationError', 'the request contains the same address twice'),
    failure('ValidationError', 'the `Idempotency-Key` is malformed, or was sent with other items', {
      property: 'Idempotency-Key',
    }),
    failure('ConflictError', 'a request with this `Idempotency-Key` is under way', { property: 'Idempotency-Key' }),
  ],
  examples: {
    several: {
      summary: 'Two editors in one request',
      body: [
        { role_id: example.grace.role_id, email: example.grace.email },
        { role_id: example.linus.role_id, email: example.linus.email },
      ],
      answer: [example.grace, example.linus],
    },
    invite: {
      summary: 'An author',
      caller: 'integration',
      body: [{ role_id: example.ada.role_id, email: example.ada.email }],
      answer: [example.ada],
    },
    'without-mail': {
      summary: 'An invite whose link you pass on yourself',
      body: [{ role_id: example.margaret.role_id, email: example.margaret.email, send_email: false }],
      answer: [{ ...example.margaret, link: example.margaretsLink }],
    },
    'role-not-assignable': {
      summary: 'A role that the caller cannot assign',
      caller: 'integration',
      body: [{ role_id: roleId('Administrator'), email: 'alan@example.com' }],
      error: new NoPermissionError('You cannot assign the role Administrator.', {
        details: [
          {
            index: 0,
            field: 'role_id',
            rule: 'assignable',
            limit: null,
            received: 'a role that you cannot assign',
          },
        ],
        help: 'GET /admin/roles/?permissions=assign lists the roles that you can assign.',
      }),
    },
  },
});
