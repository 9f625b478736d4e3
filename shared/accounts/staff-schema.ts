/** What clients can change of a staff member: the writable fields, some with stricter rules, and the role. */
import * as v from 'valibot';
import { changesOf, objectOf, text } from '../foundation/fields.ts';
import { idPattern, type RoleId } from '../foundation/ids.ts';
import { personName } from '../foundation/person-name.ts';
import { field, named, settableEntries } from '../foundation/resource.ts';
import { staffStatuses, userResource } from './resource.ts';

const howToRefer = 'must be the id of a role, as GET /admin/roles/ returns it, or an object with this `id`.';

const id = v.pipe(text, v.regex(idPattern, howToRefer));

/** A role as clients send it: its id, alone or in an object, as they read it. */
const roleReference = v.pipe(
  v.union(
    [
      id,
      v.pipe(
        v.looseObject({ id }),
        v.transform((role) => role.id),
      ),
    ],
    howToRefer,
  ),
  v.transform((role) => role as RoleId),
);

export const userChanges = named(
  'UserChanges',
  changesOf(
    objectOf({
      ...settableEntries(userResource),
      name: personName,
      email: field(text, 'The address. Another one is refused: POST /admin/users/{id}/email/ changes it.'),
      roles: v.pipe(v.array(roleReference, 'must be an array.'), v.length(1, 'must have exactly one role.')),
      status: field(
        v.picklist(staffStatuses, 'must be `active` or `inactive`.'),
        '`inactive` suspends the member: within five seconds no key and no session works, no mail goes out, and open ' +
          'invitations are revoked for good. `active` lets the keys work again.',
      ),
      confirm_unverified_email: field(
        v.boolean('must be true or false.'),
        'Confirms a promotion of a member whose `email_verified` is false.',
      ),
    }),
  ),
);

export type UserChanges = v.InferOutput<typeof userChanges>;
