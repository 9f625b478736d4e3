/** The invitation in English. */
import type { Language } from './language.ts';

export const en: Language = {
  tag: 'en',
  locale: 'en-GB',
  roles: {},
  labels: {
    publication: 'Publication',
    role: 'Your role',
    address: 'Your address',
    invitedBy: 'Invited by',
    validUntil: 'Valid until',
  },
  title: ({ publication }) => `Join ${publication}`,
  lead: ({ publication, inviter, role }) =>
    inviter === null
      ? `You are invited to join the staff of ${publication}, with the role ${role}.`
      : `${inviter.name} invites you to join the staff of ${publication}, with the role ${role}.`,
  action: 'Accept the invitation',
  mail: {
    subject: ({ publication, inviter }) =>
      inviter === null ? `Your invitation to ${publication}` : `${inviter.name} invites you to ${publication}`,
    once: (until) => `The link is for you alone. It works once, until ${until}.`,
    otherwise: 'If the button does not work, open this link:',
    mistakeTitle: 'You did not expect this?',
    mistake: ({ inviter }) =>
      inviter === null
        ? 'Then simply do nothing: no account is made without you, and the invitation ends by itself.'
        : `Then simply do nothing: no account is made without you, and the invitation ends by itself. To ask ${inviter.name} about it, reply to this mail.`,
  },
  page: {
    name: 'Your name',
    nameHint: 'Colleagues will see you by this name.',
    nameMissing: 'Please enter your name.',
    nameTooLong: 'Please enter a name of at most 191 characters.',
    errorPrefix: 'Error: ',
    mistake:
      'You did not expect this? Then close this page: nothing has happened yet, and the invitation ends by itself.',
    accepted: ({ publication, inviter, role }, name) => ({
      title: `Welcome, ${name}`,
      paragraphs: [
        `You belong to the staff of ${publication} now, with the role ${role}.`,
        inviter === null
          ? 'You can close this page. If you do not know yet how to sign in, ask your colleagues.'
          : `You can close this page. If you do not know yet how to sign in, ask ${inviter.name}.`,
      ],
    }),
    dead: {
      unknown: () => ({
        title: 'This link does not work',
        paragraphs: [
          'It is not the link of an invitation, or a part of it got lost on the way.',
          'Open the link in the mail once more, or copy all of it into the address bar. If that does not help, ask for the invitation to be sent again.',
        ],
      }),
      used: (publication) => ({
        title: 'This invitation has been accepted',
        paragraphs: [
          `An invitation works once. If it was you who accepted it, all is well: you belong to the staff of ${publication}.`,
          'If it was not you, tell the person who invited you right away.',
        ],
      }),
      expired: () => ({
        title: 'This invitation has expired',
        paragraphs: [
          'Ask the person who invited you to send it again. You will get a new mail with a new link.',
          'Nothing else is needed: your address is known already.',
        ],
      }),
      revoked: (publication) => ({
        title: 'This invitation was withdrawn',
        paragraphs: [
          `${publication} has taken this invitation back, and its link does not work any more.`,
          'If you think that this is a mistake, ask the person who invited you.',
        ],
      }),
      superseded: (publication) => ({
        title: 'There is a newer invitation',
        paragraphs: [
          `${publication} has sent you a newer mail since. Its link works in place of this one.`,
          'Please open the newest mail. If you cannot find it, look among your spam, or ask for the invitation to be sent again.',
        ],
      }),
    },
    failed: {
      'too large': {
        title: 'Your name is too long for this form',
        paragraphs: [
          'Much more arrived than a name of at most 191 characters, so none of it was read. Your invitation is as good as before.',
          'Open the link in the mail once more, and enter a shorter name.',
        ],
      },
      unreadable: {
        title: 'The form could not be read',
        paragraphs: [
          'It arrived in another form than this page sends it. Your invitation is as good as before.',
          'Open the link in the mail once more, and send the form from there. If that does not help, try another browser.',
        ],
      },
      ours: {
        title: 'Something went wrong on our side',
        paragraphs: ['Your invitation is as good as before. Please try again in a few minutes.'],
      },
    },
    toPublication: (publication) => `Go to ${publication}`,
  },
};
