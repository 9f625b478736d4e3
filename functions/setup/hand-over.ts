/** Invoked by the operator: makes an Administrator the Owner, for an Owner whose mailbox is lost. */
import * as v from 'valibot';
import { watched } from '../../shared/aws/watched.ts';
import { emailAddress } from '../../shared/foundation/email.ts';
import { handOverTo } from '../../shared/setup/hand-over.ts';

const request = v.object({ to: emailAddress() });

/** Returns the address of the previous Owner. @throws for an invalid request, and unless the member can become the Owner */
export const handler = watched(async (event: unknown): Promise<{ readonly previous: string }> => {
  const [, { email: previous }] = await handOverTo(v.parse(request, event).to);
  return { previous };
});
