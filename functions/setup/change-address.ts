/** Invoked by the operator: gives a staff member another address, because the mailbox is lost. */
import * as v from 'valibot';
import { watched } from '../../shared/aws/watched.ts';
import { emailAddress } from '../../shared/foundation/email.ts';
import { changeAddress } from '../../shared/sign-in/change-address.ts';

const request = v.object({ from: emailAddress(), to: emailAddress(191) });

/** Returns the new address. @throws for an invalid request, if nobody has the old one, or a member has the new one */
export const handler = watched(async (event: unknown): Promise<{ readonly email: string }> => {
  const { from, to } = v.parse(request, event);
  await changeAddress(from, to);
  return { email: to };
});
