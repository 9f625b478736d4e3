/** Who may use the endpoints of invites. */
import { assignableRoles } from '../accounts/role.ts';
import type { Caller } from '../foundation/caller.ts';
import { settings } from '../foundation/environment.ts';
import { NoPermissionError } from '../foundation/errors.ts';

/** Checks that the caller can assign a role: the others read no invites either. @throws NoPermissionError */
export const checkMayInvite = (caller: Caller): void => {
  if (assignableRoles(caller, settings().roles).length > 0) return;
  throw new NoPermissionError(`${caller.kind === 'staff' ? `Your role, ${caller.role},` : 'This key'} cannot invite.`, {
    help: 'Ask an Administrator.',
  });
};
