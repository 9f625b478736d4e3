/** The fields of a staff member that clients can change. */
import * as v from 'valibot';
import { changesOf, maxChars, objectOf, text } from '../foundation/fields.ts';
import { idPattern, type RoleId } from '../foundation/ids.ts';

/** A role as clients send it: its id, alone or in an object, as they read it. */
const roleReference = v.pipe(
  v.union(
    [
      v.pipe(text, v.regex(idPattern)),
      v.pipe(
        v.looseObject({ id: v.pipe(text, v.regex(idPattern)) }),
        v.transform(({ id }) => id),
      ),
    ],
    'must be the id of a role, or an object with the `id`.',
  ),
  v.transform((id) => id as RoleId),
);

export const userChanges = changesOf(
  objectOf({
    name: v.pipe(text, maxChars(191), v.regex(/\S/, 'must not be blank.')),
    roles: v.pipe(v.array(roleReference, 'must be an array.'), v.length(1, 'must have exactly one role.')),
  }),
);

export type UserChanges = v.InferOutput<typeof userChanges>;
