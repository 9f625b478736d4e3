/** SES's feedback on mails that it accepted: bounces and complaints, as EventBridge events. */
import * as v from 'valibot';
import { systemClock } from '../foundation/clock.ts';
import { type InviteId, idPattern } from '../foundation/ids.ts';
import { isStopped, tellStaff } from './bounces.ts';
import type { StateChange } from './invite.ts';
import { noteFeedback, readInvite } from './store.ts';

const time = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.transform((at) => new Date(at).toISOString()),
);
const tag = v.pipe(
  v.array(v.string()),
  v.minLength(1),
  v.transform(([value = '']) => value),
);

/** The tags that `sendInvites` sets on a mail; SES returns them. */
const mail = v.object({
  tags: v.object({
    invite: v.pipe(
      tag,
      v.regex(idPattern),
      v.transform((id) => id as InviteId),
    ),
    mailing: v.pipe(tag, v.transform(Number), v.integer()),
  }),
});

/** https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html: the fields used here. */
export const sesEvent = v.object({
  detail: v.variant('eventType', [
    v.object({
      eventType: v.literal('Bounce'),
      mail,
      bounce: v.object({
        bounceType: v.string(),
        bounceSubType: v.string(),
        timestamp: time,
        bouncedRecipients: v.optional(v.array(v.object({ action: v.optional(v.string()) })), []),
      }),
    }),
    v.object({
      eventType: v.literal('Complaint'),
      mail,
      complaint: v.object({
        timestamp: time,
        complaintFeedbackType: v.nullish(v.string()),
        complaintSubType: v.nullish(v.string()),
      }),
    }),
    v.object({ eventType: v.literal('Reject'), mail, reject: v.object({ reason: v.string() }) }),
    v.object({ eventType: v.literal('Rendering Failure'), mail, failure: v.object({ errorMessage: v.string() }) }),
  ]),
  time,
});

type SesEvent = v.InferOutput<typeof sesEvent>;

/** Records feedback on an invite, and tells staff if its inviter is now stopped. Returns the new state, if any. */
export const recordFeedback = async ({ detail, time: at }: SesEvent): Promise<StateChange | undefined> => {
  const change = changeOf(detail, at);
  const { invite, mailing } = detail.mail.tags;
  if (change === undefined) return undefined;
  await noteFeedback(invite, mailing, change);
  const found = await readInvite(invite);
  if (found !== undefined && (await isStopped(found.invited_by))) await tellStaff(found.invited_by, systemClock());
  return change;
};

/** Types of reports in which nobody complains about the mail (RFC 5965, 7.3, and RFC 6591). */
const noComplaints: readonly string[] = ['not-spam', 'auth-failure'];

const changeOf = (detail: SesEvent['detail'], at: string): StateChange | undefined => {
  switch (detail.eventType) {
    case 'Bounce': {
      const { bounceType, bounceSubType, timestamp, bouncedRecipients } = detail.bounce;
      // An out-of-office reply is also a «Transient» bounce, although the mail was delivered.
      const failed = bounceType !== 'Transient' || bouncedRecipients.some(({ action }) => action === 'failed');
      return failed ? { status: 'bounced', at: timestamp, reason: `${bounceType}: ${bounceSubType}` } : undefined;
    }
    case 'Complaint': {
      const { timestamp, complaintFeedbackType: reason, complaintSubType } = detail.complaint;
      // The recipient has complained about an earlier mail, so SES has not tried to send this one.
      if (complaintSubType) return { status: 'bounced', at: timestamp, reason: `Not sent: ${complaintSubType}` };
      if (reason != null && noComplaints.includes(reason)) return undefined;
      return { status: 'complained', at: timestamp, ...(typeof reason === 'string' && { reason }) };
    }
    case 'Reject':
      return { status: 'bounced', at, reason: `Rejected: ${detail.reject.reason}` };
    case 'Rendering Failure':
      return { status: 'bounced', at, reason: `Rendering failure: ${detail.failure.errorMessage}` };
  }
};
