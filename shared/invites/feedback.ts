/** What SES says after it has taken a mail: that it bounced, or that somebody complained (events of a configuration set, over EventBridge). */
import * as v from 'valibot';
import { type InviteId, idPattern } from '../foundation/ids.ts';
import type { StateChange } from './invite.ts';

const time = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.transform((at) => new Date(at).toISOString()),
);
const tag = v.pipe(v.array(v.string()), v.minLength(1));

/** The tags that `sendInvites` gave to the mail; SES hands them back. */
const mail = v.object({
  tags: v.object({
    invite: v.pipe(
      tag,
      v.transform(([id]) => id),
      v.pipe(v.string(), v.regex(idPattern)),
    ),
    mailing: v.pipe(
      tag,
      v.transform(([number]) => Number(number)),
      v.integer(),
    ),
  }),
});

/**
 * An event of SES as EventBridge hands it on; only what is read here is checked.
 * https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html
 */
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
      complaint: v.object({ timestamp: time, complaintFeedbackType: v.nullish(v.string()) }),
    }),
    v.object({ eventType: v.literal('Reject'), mail, reject: v.object({ reason: v.string() }) }),
    v.object({ eventType: v.literal('Rendering Failure'), mail, failure: v.object({ errorMessage: v.string() }) }),
  ]),
  time,
});

export type SesEvent = v.InferOutput<typeof sesEvent>;

interface Ports {
  readonly noteFeedback: (id: InviteId, mailing: number, change: StateChange) => Promise<boolean>;
}

/** Notes what SES says at the mailing it is about. Gives the state that it means; undefined where it means none. */
export const takeFeedback = async (
  { noteFeedback }: Ports,
  { detail, time: at }: SesEvent,
): Promise<StateChange | undefined> => {
  const change = meaningOf(detail, at);
  const { invite, mailing } = detail.mail.tags;
  if (change !== undefined) await noteFeedback(invite as InviteId, mailing, change);
  return change;
};

const meaningOf = (detail: SesEvent['detail'], at: string): StateChange | undefined => {
  switch (detail.eventType) {
    case 'Bounce': {
      const { bounceType, bounceSubType, timestamp, bouncedRecipients } = detail.bounce;
      // An answer that somebody is on holiday is a «Transient» bounce too, but nothing has failed then.
      const failed = bounceType !== 'Transient' || bouncedRecipients.some(({ action }) => action === 'failed');
      return failed ? { status: 'bounced', at: timestamp, reason: `${bounceType}: ${bounceSubType}` } : undefined;
    }
    case 'Complaint':
      return {
        status: 'complained',
        at: detail.complaint.timestamp,
        ...(typeof detail.complaint.complaintFeedbackType === 'string' && {
          reason: detail.complaint.complaintFeedbackType,
        }),
      };
    case 'Reject':
      return { status: 'bounced', at, reason: `Rejected: ${detail.reject.reason}` };
    case 'Rendering Failure':
      return { status: 'bounced', at, reason: `Rendering failure: ${detail.failure.errorMessage}` };
  }
};
