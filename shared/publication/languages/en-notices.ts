/** Mails about webhooks and accounts in English. */
import type { NoticeTexts } from './language.ts';

export const enNotices: NoticeTexts = {
  account: {
    action: 'Review your access',
    token: {
      title: (publication) => `New access token for ${publication}`,
      made: ({ address, by, at }) =>
        `A staff access token was created for your account ${address} on ${at}${by === null ? '' : `, by ${by}`}. ` +
        'Programs with this token can act in your name until it is replaced. Earlier tokens no longer work.',
      unexpected:
        "Didn't expect this? Create a new token to make this one invalid, end the sessions that you don't recognize, " +
        'and tell an administrator.',
    },
    addressAsked: {
      title: (publication) => `Another address for ${publication}`,
      made: ({ address, by, other, at }) =>
        `On ${at}, ${by ?? 'the operator of the site'} asked to replace ${address}, the address of your account, ` +
        `with ${other}. It changes when somebody confirms the link that was sent there.`,
      unexpected:
        "Didn't expect this? Enter your present address under “Change your address” in the console: the link stops " +
        "working. End the sessions that you don't recognize, and tell an administrator.",
    },
    addressChanged: {
      title: (publication) => `Your address at ${publication} was changed`,
      made: ({ address, by, other, at }) =>
        `On ${at}, ${by ?? 'the operator of the site'} replaced ${address}, the address of your account, with ` +
        `${other}. You sign in with that address from now on.`,
      unexpected: "Didn't expect this? Tell an administrator or the operator of the site at once.",
    },
    ownerReceived: {
      title: (publication) => `You are the Owner of ${publication}`,
      made: ({ address, by, other, at }) =>
        `On ${at}, ${by ?? 'the operator of the site'} made your account ${address} its Owner. ` +
        `${other} is an Administrator now.`,
      unexpected: "Didn't expect this? Talk to the people named above.",
    },
    ownerGiven: {
      title: (publication) => `You are no longer the Owner of ${publication}`,
      made: ({ address, by, other, at }) =>
        `On ${at}, ${by ?? 'the operator of the site'} made ${other} the Owner. ` +
        `Your account ${address} is an Administrator now.`,
      unexpected:
        "Didn't expect this? Tell the operator of the site at once: only they can make you the Owner again without " +
        'the new Owner.',
    },
    invitesStopped: {
      action: 'Show what bounced',
      title: (publication) => `Invitations to ${publication} are stopped`,
      made: ({ other, at }) =>
        `Many of the latest mails from ${other} bounced or were reported as spam. ` +
        `Since ${at}, ${other} can invite nobody, and invitations that were not mailed yet wait.`,
      unexpected:
        'If the addresses are right, open the console, and revoke the invitations that bounced: the others go on. ' +
        'If you do not know them, revoke the key that sent them first.',
    },
    secretsRead: {
      title: (publication) => `Webhook secrets of ${publication} were read`,
      made: ({ by, other, at }) =>
        `On ${at}, ${by ?? 'somebody'} read the secrets of the webhooks that were moved from ${other}. ` +
        'Moving them back to Ghost needs these secrets.',
      unexpected:
        "Didn't expect this? Ask the person named above. If nobody moved webhooks back, replace these secrets at the " +
        'receivers.',
    },
  },
  contact: {
    title: (publication) => `Mails about webhooks of ${publication}`,
    lead: (integration) =>
      `This address was entered as the contact of the integration ${integration}. ` +
      'If you confirm it, you get a mail when one of its webhooks keeps failing, and when it works again.',
    action: 'Confirm this address',
    unexpected: 'If you did not expect this, do nothing. Without your confirmation, no such mail is sent.',
    done: {
      title: 'Your address is confirmed',
      paragraphs: ['You get a mail when a webhook of the integration keeps failing. You can close this page.'],
    },
  },
  summary: {
    failing: ({ count, since, end }) =>
      `Every attempt has failed since ${since}. Deliveries are retried automatically. ` +
      `If none succeeds by ${end}, ${count === 1 ? 'the webhook is disabled' : 'those that still fail are disabled'}.`,
    disabled: ({ count, since, keepDays }) =>
      `Every attempt has failed since ${since}, so nothing more is sent. ` +
      `New deliveries are held for ${keepDays} days. When the receiver works again, enable the ` +
      `${count === 1 ? 'webhook' : 'webhooks'} and send what was held.`,
    declined: ({ keepDays, deletion }) =>
      'The receiver asked for no more deliveries (410, or webhook-delivery: disable), so nothing more is sent. ' +
      `The delivery that it answered waits, and so do new ones, for ${keepDays} days. ` +
      'If this was a mistake, enable the webhook and send what was held. ' +
      `If nobody changes it, it is deleted on ${deletion}.`,
  },
  someDisabled: (count) => `Disabled already: ${count}.`,
  worksAgain: (who, isOne) => `${who} ${isOne ? 'works' : 'work'} again`,
  atHost: (host) => `The webhooks at ${host}`,
  recovered:
    'Deliveries arrive again, and those that were waiting for another attempt follow on their own. ' +
    'Deliveries that failed for good or were held are sent again only when you recover them.',
  stillFailing: (what) => `Still failing there: ${what}.`,
  labels: {
    webhook: 'Webhook',
    webhooks: 'Webhooks',
    integration: 'Integration',
    receiver: 'Receiver',
    answer: 'It answered',
    lastError: 'Last error',
    waiting: 'Waiting',
  },
  more: (count) => `and ${count} more`,
  waiting: (count, until) =>
    count === '1' ? `1 delivery, kept until ${until}` : `${count} deliveries, the oldest kept until ${until}`,
  errors: {
    dns: 'the host name could not be resolved',
    connect: 'the connection failed',
    tls: 'the TLS handshake failed',
    tls_expired: 'the certificate has expired',
    tls_not_yet_valid: 'the certificate is not valid yet',
    tls_wrong_host: 'the certificate is for another name',
    tls_self_signed: 'the certificate is self-signed',
    tls_unknown_issuer: 'the issuer of the certificate is unknown',
    tls_client_certificate: 'the server asks for a client certificate',
    timeout: 'no answer in time',
    reset: 'the receiver closed the connection',
    protocol: 'the answer was not valid HTTP',
    blocked: 'the address is not allowed',
  },
  why: {
    member: 'You get this mail as Owner or Administrator.',
    contact: 'You get this mail because this address is the contact of the integration.',
  },
  often: 'While this lasts, at most one mail follows in six hours.',
  action: { failing: 'See why', recovered: 'Show the webhooks', contact: 'Open the API documentation' },
};
