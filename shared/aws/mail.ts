/** Sends one mail through SES and classifies the answer: accepted, rejected, refused for now, or unknown. */
import { SESClient, SendRawEmailCommand } from '@aws-sdk/client-ses';
import MimeNode from 'nodemailer/lib/mime-node';
import { mailConfigurationSet, settings } from '../foundation/environment.ts';
import { oneLine } from '../foundation/text.ts';

/** The caller decides whether and when to try again. A call without an answer ends well before the function's 30 s. */
const client = new SESClient({
  maxAttempts: 1,
  requestHandler: {
    connectionTimeout: 3000,
    requestTimeout: 8000,
    socketTimeout: 8000,
    // Without it the SDK only logs a warning.
    throwOnRequestTimeout: true,
    // Connections break while an environment is frozen, and a mail sent over one may or may not have reached SES. New
    // ones cost milliseconds, at 14 mails per second.
    httpAgent: { keepAlive: false },
    httpsAgent: { keepAlive: false },
  },
});

export interface Mail {
  readonly to: string;
  readonly replyTo?: string | undefined;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Tags that SES returns with its events about this mail; names and values of ASCII letters, digits, `_` and `-`. */
  readonly tags?: Readonly<Record<string, string>>;
}

/** `unknown`: no answer, or a fault inside SES, which may have accepted the mail or not. Reasons contain no address. */
export type MailOutcome =
  | { readonly kind: 'accepted'; readonly messageId: string }
  | { readonly kind: 'rejected' | 'throttled' | 'refused' | 'unknown'; readonly reason: string };

/** Errors that are caused by an address or the content, so that no retry can succeed (SES API v1, SendRawEmail). */
const finalErrors = ['MessageRejected', 'InvalidParameterValue', 'InvalidParameterValueException'];
const throttlingErrors = ['Throttling', 'ThrottlingException', 'TooManyRequestsException', 'LimitExceededException'];

/**
 * Sends a mail. `rejected`: SES will never take it. `throttled`: too many now. `refused`: our own configuration is
 * wrong (unverified identity, missing permission, paused account); the mail succeeds when it is fixed.
 */
export const sendMail = async (mail: Mail): Promise<MailOutcome> => {
  const { publication, mail: sender } = settings();
  try {
    const { MessageId } = await client.send(
      new SendRawEmailCommand({
        Source: sender.from,
        Destinations: [mail.to],
        ConfigurationSetName: mailConfigurationSet(),
        Tags: Object.entries(mail.tags ?? {}).map(([Name, Value]) => ({ Name, Value })),
        RawMessage: { Data: await sourceOf(mail, { name: oneLine(publication.name), address: sender.from }) },
      }),
    );
    return { kind: 'accepted', messageId: MessageId ?? '' };
  } catch (error) {
    return outcomeOf(error, sender.from);
  }
};

/** Asks programs (RFC 3834) and Exchange for no automatic answers; `All` would suppress bounces, too (MS-OXCMAIL). */
const noAutomaticAnswers = {
  'Auto-Submitted': 'auto-generated',
  'X-Auto-Response-Suppress': 'DR, RN, NRN, OOF, AutoReply',
};

/** Returns the source of a mail; SES sets `Message-ID` and `Date`. */
export const sourceOf = (
  { to, replyTo, subject, text, html }: Mail,
  from: { readonly name: string; readonly address: string },
): Promise<Buffer> => {
  const mail = new MimeNode('multipart/alternative', {
    newline: 'win',
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  mail.setHeader({
    From: from,
    To: { address: to },
    ...(replyTo !== undefined && { 'Reply-To': { address: replyTo } }),
    Subject: oneLine(subject),
    ...noAutomaticAnswers,
  });
  mail.createChild('text/plain; charset=utf-8').setContent(text);
  mail.createChild('text/html; charset=utf-8').setContent(html);
  return mail.build();
};

const outcomeOf = (error: unknown, from: string): MailOutcome => {
  if (!(error instanceof Error)) return { kind: 'unknown', reason: 'the thrown value is not an Error' };
  const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
  const reason = `${error.name}: ${error.message.replaceAll(/\S+@\S+/g, '<address>')}`;
  if (throttlingErrors.includes(error.name)) return { kind: 'throttled', reason };
  if (finalErrors.includes(error.name)) return { kind: isOurs(error.message, from) ? 'refused' : 'rejected', reason };
  return { kind: status !== undefined && status < 500 ? 'refused' : 'unknown', reason };
};

/** Whether a final error is about the account or the sender, and not about this mail. */
const isOurs = (message: string, from: string): boolean => isPaused(message) || blamesSender(message, from);

/** While an account is paused, SES rejects every mail: "Sending paused for this account. For more information, …" */
const isPaused = (message: string): boolean => /^sending (?:paused|suspended) for this account\b/i.test(message);

/** SES rejects unverified recipients and senders alike, and lists them: "… failed the check in region X: a@b.c". */
const blamesSender = (message: string, from: string): boolean => {
  const failed = /identities failed the check in region [^:]+: (.*)$/.exec(message)?.[1]?.split(/,\s*/) ?? [];
  return failed.some(
    (identity) => from === identity || from.endsWith(`@${identity}`) || identity.endsWith(`<${from}>`),
  );
};
