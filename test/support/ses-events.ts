/** Events of SES at EventBridge, recorded and shortened, with invented ids, addresses and times. */

interface About {
  readonly invite: string;
  readonly mailing?: number;
  readonly at?: string;
}

const about = ({ invite, mailing = 1, at = '2026-11-21T09:30:00.000Z' }: About) => ({
  timestamp: at,
  source: '"Example" <desk@example.org>',
  sourceArn: 'arn:aws:ses:eu-central-1:000000000000:identity/example.org',
  sendingAccountId: '000000000000',
  messageId: '0107019b2f3a4b5c-1d2e3f40-5061-4728-9384-a5b6c7d8e9f0-000000',
  destination: ['ada@example.net'],
  headersTruncated: false,
  headers: [{ name: 'Subject', value: 'Olive invites you to Example' }],
  commonHeaders: { from: ['"Example" <desk@example.org>'], to: ['ada@example.net'] },
  tags: {
    'ses:source-tls-version': ['TLSv1.3'],
    'ses:operation': ['SendRawEmail'],
    'ses:configuration-set': ['masthead-dev'],
    'ses:from-domain': ['example.org'],
    'ses:caller-identity': ['masthead-dev-mail-send'],
    invite: [invite],
    mailing: [String(mailing)],
  },
});

const envelope = (detailType: string, detail: object, at = '2026-11-21T09:30:07Z') => ({
  version: '0',
  id: '6f0d4e1c-0b4a-4a8e-9b1f-2c3d4e5f6071',
  'detail-type': detailType,
  source: 'aws.ses',
  account: '000000000000',
  time: at,
  region: 'eu-central-1',
  resources: ['arn:aws:ses:eu-central-1:000000000000:configuration-set/masthead-dev'],
  detail,
});

/** Returns a bounce. Default: the mailbox does not exist. */
export const bounced = (
  mail: About,
  { type = 'Permanent', subType = 'General', action = 'failed' as string | null } = {},
) =>
  envelope('Email Bounced', {
    eventType: 'Bounce',
    bounce: {
      feedbackId: '0107019b2f3a5a6b-0a1b2c3d-4e5f-4061-8293-a4b5c6d7e8f9-000000',
      bounceType: type,
      bounceSubType: subType,
      bouncedRecipients: [
        {
          emailAddress: 'ada@example.net',
          ...(action !== null && {
            action,
            status: '5.1.1',
            diagnosticCode: 'smtp; 550 5.1.1 The email account that you tried to reach does not exist.',
          }),
        },
      ],
      timestamp: mail.at ?? '2026-11-21T09:30:06.000Z',
      reportingMTA: 'dns; b224-12.smtp-out.eu-central-1.amazonses.com',
    },
    mail: about(mail),
  });

/** Returns a complaint: the recipient marked the mail as spam. */
export const complained = (mail: About, complaintSubType: string | null = null, complaintFeedbackType = 'abuse') =>
  envelope('Email Complaint Received', {
    eventType: 'Complaint',
    complaint: {
      feedbackId: '0107019b2f3a6b7c-1b2c3d4e-5f60-4172-8394-b5c6d7e8f90a-000000',
      complaintSubType,
      complainedRecipients: [{ emailAddress: 'ada@example.net' }],
      timestamp: mail.at ?? '2026-11-21T10:00:00.000Z',
      userAgent: 'ExampleCorp Feedback Loop (V0.01)',
      complaintFeedbackType,
      arrivalDate: '2026-11-21T10:00:00.000Z',
    },
    mail: about(mail),
  });

/** Returns a rejection: SES found a virus after it had accepted the mail. */
export const rejected = (mail: About) =>
  envelope('Email Rejected', { eventType: 'Reject', mail: about(mail), reject: { reason: 'Bad content' } });

/** Returns an event about a mail of another application with the same configuration set. */
export const bouncedElsewhere = () => {
  const event = bounced({ invite: 'x' });
  return { ...event, detail: { ...event.detail, mail: { ...about({ invite: 'x' }), tags: {} } } };
};
