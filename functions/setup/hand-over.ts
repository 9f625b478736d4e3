/** Invoked by the operator: makes an Administrator the Owner, for an Owner whose mailbox is lost. */
import * as v from 'valibot';
import { findByAddress } from '../../shared/accounts/find-staff.ts';
import { handOver } from '../../shared/accounts/hand-over.ts';
import { operator } from '../../shared/audit/entry.ts';
import { watched } from '../../shared/aws/watched.ts';
import { emailAddress } from '../../shared/foundation/email.ts';

const request = v.object({ to: emailAddress() });

/** Returns the previous Owner's address. @throws for an invalid request, or a member who cannot become the Owner */
export const handler = watched(async (event: unknown): Promise<{ readonly previous: string }> => {
  const { id } = await findByAddress(v.parse(request, event).to);
  const [, { email: previous }] = await handOver(id, undefined, operator);
  return { previous };
});
