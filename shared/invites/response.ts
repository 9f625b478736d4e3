/** The schema of what clients see of an invite: the seven fields of the contract, and never a token. */
import * as v from 'valibot';
import { responseId, responseTime } from '../foundation/response-fields.ts';
import { inviteStates } from './invite.ts';

export const inviteResponse = v.strictObject({
  id: v.pipe(responseId, v.description('Names the invite.')),
  role_id: v.pipe(responseId, v.description('The role that is offered; GET /admin/roles/ lists them.')),
  status: v.pipe(
    v.picklist(inviteStates),
    v.description('`pending` until the mail system has taken the mail, then `sent`; the others say how it ended.'),
  ),
  email: v.pipe(v.string(), v.description('Who is invited, as it was typed; compared without regard to case.')),
  expires: v.pipe(v.number(), v.integer(), v.description('Until when its link works: milliseconds since 1970, UTC.')),
  created_at: v.pipe(responseTime, v.description('When it was created.')),
  updated_at: v.pipe(responseTime, v.description('When it last changed.')),
  history: v.pipe(
    v.optional(
      v.array(
        v.strictObject({
          status: v.pipe(v.picklist(inviteStates), v.description('A state it has been in.')),
          at: v.pipe(responseTime, v.description('Since when.')),
          reason: v.pipe(v.nullable(v.string()), v.description('Why, where the mail system gave a reason.')),
        }),
      ),
    ),
    v.description('All its states, oldest first; only with `include=history`.'),
  ),
});

export type InviteResponse = v.InferOutput<typeof inviteResponse>;

/** What anyone learns about an address. */
export const invitationStatusResponse = v.strictObject({
  valid: v.pipe(v.boolean(), v.description('Whether an invitation to this address is open.')),
});

/** What somebody gets who has accepted. */
export const acceptanceResponse = v.strictObject({
  message: v.pipe(v.string(), v.description('That it is done, for people.')),
});
