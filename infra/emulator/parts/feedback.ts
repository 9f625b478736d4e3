/** What SES reports about a mail to EventBridge: that it bounced, or that its recipient complained about it. */
import { randomUUID } from 'node:crypto';
import { accountId, region } from '../account.ts';

export interface SentMail {
  readonly messageId: string;
  readonly destination: { readonly to: readonly string[] };
  /** The tags with which it was sent, as SES returns them. */
  readonly tags?: Readonly<Record<string, readonly string[]>>;
}

export const feedbacks = ['bounce', 'complaint'] as const;
export type Feedback = (typeof feedbacks)[number];

/**
 * Returns an event of SES for an address that does not exist, or for a report of spam.
 * https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html
 */
export const feedbackEvent = (kind: Feedback, { messageId, destination, tags = {} }: SentMail, now: Date) => {
  const timestamp = now.toISOString();
  const recipients = destination.to.map((emailAddress) => ({ emailAddress }));
  const mail = { timestamp, messageId, destination: destination.to, tags };
  const detail =
    kind === 'bounce'
      ? {
          eventType: 'Bounce',
          bounce: {
            bounceType: 'Permanent',
            bounceSubType: 'NoEmail',
            bouncedRecipients: recipients.map((recipient) => ({ ...recipient, action: 'failed', status: '5.1.1' })),
            timestamp,
          },
          mail,
        }
      : {
          eventType: 'Complaint',
          complaint: { complainedRecipients: recipients, complaintFeedbackType: 'abuse', timestamp },
          mail,
        };
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': kind === 'bounce' ? 'Email Bounced' : 'Email Complaint Received',
    source: 'aws.ses',
    account: accountId,
    time: timestamp,
    region,
    resources: [],
    detail,
  };
};

export type FeedbackEvent = ReturnType<typeof feedbackEvent>;
