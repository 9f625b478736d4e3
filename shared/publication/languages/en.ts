/** Mails in English, and what pages share with them. */
import type { Language } from './language.ts';

/** A role with its article: an Editor, a User. */
export const asOne = (role: string): string => `${/^(?!eu|uni|us)[aeiou]/i.test(role) ? 'an' : 'a'} ${role}`;

export const en: Language = {
  tag: 'en',
  months: 'January February March April May June July August September October November December'.split(' '),
  dateAndTime: (day, month, time) => `${day} ${month} at ${time}`,
  roles: {},
  buttonFallback: "If the button doesn't work, open this link:",
  signIn: {
    action: 'Sign in',
    title: (publication) => `Sign in to ${publication}`,
    validity: ({ address, minutes }) =>
      `This link is for ${address}. It works once and expires ${minutes} minutes after this email was sent.`,
    unexpected:
      "Didn't expect this? You can ignore this email. Don't forward it: the link signs in without a password.",
    change: {
      action: 'Use this address',
      title: (publication) => `Your new address at ${publication}`,
      validity: ({ address, hours }) =>
        `Use ${address} to sign in from now on? This link works once and expires ${hours} hours after this email was sent.`,
      unexpected:
        "Didn't expect this? You can ignore this email: nothing changes unless you open the link and confirm.",
    },
  },
  accountNotice: {
    action: 'Review your access',
    token: {
      title: (publication) => `New access token for ${publication}`,
      made: ({ address, by, at }) =>
        `A staff access token was created for your account ${address} on ${at}${by === null ? '' : `, by ${by}`}. Programs with this token can act in your name until it is replaced. Earlier tokens no longer work.`,
      unexpected:
        "Didn't expect this? Create a new token to make this one invalid, end the sessions that you don't recognize, and tell an administrator.",
    },
    addressAsked: {
      title: (publication) => `Another address for ${publication}`,
      made: ({ address, by, other, at }) =>
        `On ${at}, ${by ?? 'the operator of the site'} asked to replace ${address}, the address of your account, with ${other}. It changes when somebody confirms the link that was sent there.`,
      unexpected:
        "Didn't expect this? Enter your present address under “Change your address” in the console: the link stops working. End the sessions that you don't recognize, and tell an administrator.",
    },
    addressChanged: {
      title: (publication) => `Your address at ${publication} was changed`,
      made: ({ address, by, other, at }) =>
        `On ${at}, ${by ?? 'the operator of the site'} replaced ${address}, the address of your account, with ${other}. You sign in with that address from now on.`,
      unexpected: "Didn't expect this? Tell an administrator or the operator of the site at once.",
    },
    ownerReceived: {
      title: (publication) => `You are the Owner of ${publication}`,
      made: ({ address, by, other, at }) =>
        `On ${at}, ${by ?? 'the operator of the site'} made your account ${address} its Owner. ${other} is an Administrator now.`,
      unexpected: "Didn't expect this? Talk to the people named above.",
    },
    ownerGiven: {
      title: (publication) => `You are no longer the Owner of ${publication}`,
      made: ({ address, by, other, at }) =>
        `On ${at}, ${by ?? 'the operator of the site'} made ${other} the Owner. Your account ${address} is an Administrator now.`,
      unexpected:
        "Didn't expect this? Tell the operator of the site at once: only they can make you the Owner again without the new Owner.",
    },
    invitesStopped: {
      action: 'Show what bounced',
      title: (publication) => `Invitations to ${publication} are stopped`,
      made: ({ other, at }) =>
        `Many of the latest mails from ${other} bounced or were reported as spam. Since ${at}, ${other} can invite nobody, and invitations that were not mailed yet wait.`,
      unexpected:
        'If the addresses are right, open the console, and revoke the invitations that bounced: the others go on. If you do not know them, revoke the key that sent them first.',
    },
    secretsRead: {
      title: (publication) => `Webhook secrets of ${publication} were read`,
      made: ({ by, other, at }) =>
        `On ${at}, ${by ?? 'somebody'} read the secrets of the webhooks that were moved from ${other}. Moving them back to Ghost needs these secrets.`,
      unexpected:
        "Didn't expect this? Ask the person named above. If nobody moved webhooks back, replace these secrets at the receivers.",
    },
  },
  invitation: {
    action: 'Accept the invitation',
    validity: ({ address, until }) => `This invitation is for ${address}. It works once and expires on ${until}.`,
    mail: {
      subject: ({ publication, inviter }) =>
        inviter === null ? `Your invitation to ${publication}` : `${inviter.name} invites you to ${publication}`,
      title: ({ publication, inviter, role }) =>
        `${inviter === null ? 'You are invited' : `${inviter.name} invites you`} to join the staff of ${publication} as ${asOne(role)}`,
      unexpected: ({ inviter }) =>
        `Didn't expect this? You can ignore this email. No account is created unless you accept.${
          inviter === null ? '' : ` To ask ${inviter.name} about it, reply to this email or write to ${inviter.email}.`
        }`,
    },
  },
};
