/** `PUT /admin/users/{id}/token/`: gives a staff member a new token, shown only once; `me` is the caller. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import * as example from '../../shared/accounts/example.ts';
import { renewStaffKey } from '../../shared/accounts/manage-staff.ts';
import { roleId } from '../../shared/accounts/role.ts';
import { presentStaffToken, staffTokenResource } from '../../shared/accounts/staff-token.ts';
import { exampleOf } from '../../shared/foundation/example-of.ts';
import type { StaffId } from '../../shared/foundation/ids.ts';
import type { Documentation } from '../../shared/http/documentation.ts';

export const handler = endpoint({
  line: 'users/renew-token',
  knowsMe: true,
  answer: { status: 200, root: 'apiKey', item: staffTokenResource, isSingle: true },
  handle: async ({ id, caller, reply }) => {
    const { member, key } = await renewStaffKey(id<StaffId>(), caller);
    return reply(presentStaffToken(member, key));
  },
});

export const documentation = (): Documentation => ({
  tag: 'Staff',
  summary: 'Renew the access token of a staff member',
  description:
    'Returns a new key, whose secret is not returned again. All earlier keys of the member become invalid; ' +
    'functions that have cached one accept it for a few more seconds. Everyone can renew their own. ' +
    'The Owner and Administrators can also renew those of others, except the Owner’s. ' +
    'A token can be renewed ten times an hour; beyond that, 429 with `Retry-After`. No body is required.',
  errors: [example.otherMember, example.ofOwner],
  examples: {
    renew: {
      summary: 'The first key of a new staff member',
      path: { id: example.id },
      answer: exampleOf(staffTokenResource, {
        id: '019acb5f1b20a1b2c3d4e5f6',
        type: 'admin',
        last_seen_at: null,
        last_seen_version: null,
        user_id: example.id,
        role_id: roleId('Editor'),
        created_at: '2026-11-21T09:28:00.000Z',
        updated_at: '2026-11-21T09:28:00.000Z',
      }),
    },
  },
});
