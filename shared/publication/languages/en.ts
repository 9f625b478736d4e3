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
        `Use ${address} to sign in from now on? This link works once and expires ${hours} hours after this email was ` +
        'sent.',
      unexpected:
        "Didn't expect this? You can ignore this email: nothing changes unless you open the link and confirm.",
    },
  },
  invitation: {
    action: 'Accept the invitation',
    validity: ({ address, until }) => `This invitation is for ${address}. It works once and expires on ${until}.`,
    mail: {
      subject: ({ publication, inviter }) =>
        inviter === null ? `Your invitation to ${publication}` : `${inviter.name} invites you to ${publication}`,
      title: ({ publication, inviter, role }) =>
        `${inviter === null ? 'You are invited' : `${inviter.name} invites you`} ` +
        `to join the staff of ${publication} as ${asOne(role)}`,
      unexpected: ({ inviter }) =>
        `Didn't expect this? You can ignore this email. No account is created unless you accept.${
          inviter === null ? '' : ` To ask ${inviter.name} about it, reply to this email or write to ${inviter.email}.`
        }`,
    },
  },
};
