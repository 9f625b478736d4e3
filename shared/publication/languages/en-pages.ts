/** Pages in English. */
import { asOne } from './en.ts';
import type { PageTexts } from './language.ts';

export const enPages: PageTexts = {
  signIn: {
    title: (name) => `Sign in as ${name}`,
    lead: (address) => `This link is for ${address}. It works once.`,
    change: ({ from, to }) =>
      `Your address changes from ${from} to ${to}. You sign in with the new one from now on. ` +
      'Sessions on other devices end.',
    changeAction: 'Use this address and sign in',
    unexpected: "Didn't ask for this link? Close this page: nobody is signed in unless you continue.",
    other: ({ name, address }) => `You are signed in as ${name} (${address}). If you continue, you will be signed out.`,
    instead: (name) => `Continue as ${name}`,
    stay: (name) => `Stay signed in as ${name}`,
    dead: {
      title: 'This link does not work',
      paragraphs: [
        'It was used before, it has expired, or part of it is missing. A link works once, until the time in its email.',
        'Enter your address in the console, and you get another one.',
      ],
    },
    another: 'Get another link',
    failed: {
      unreadable: {
        title: 'The form could not be read',
        paragraphs: ["Your link still works. Open it again. If that doesn't help, use another browser."],
      },
      ours: {
        title: 'Something went wrong on our side',
        paragraphs: ['Your link still works. Please try again in a few minutes.'],
      },
    },
    again: 'Open the link again',
  },
  invitation: {
    title: ({ role }) => `Join as ${asOne(role)}`,
    lead: ({ inviter }) =>
      inviter === null ? 'You are invited to the team.' : `${inviter.name} (${inviter.email}) invites you to the team.`,
    name: 'Your name',
    nameHint: 'Your team will see this name.',
    nameProblems: {
      missing: 'Please enter your name.',
      'too long': 'Please enter a name of at most 191 characters.',
      'not plain':
        'Please enter a name without web addresses, phone numbers or special characters. ' +
        'If a dot is part of your name, write a space after it.',
    },
    errorPrefix: 'Error: ',
    unexpected: "Didn't expect this? You can close this page. No account is created unless you accept.",
    welcome: (name) => `Welcome, ${name}`,
    alreadyJoined: {
      title: 'You have joined',
      paragraphs: ['Your invitation has been accepted.'],
    },
    joined: ({ publication, role }) => `You've joined ${publication} as ${asOne(role)}.`,
    signIn: ({ address }) => `To sign in there later, enter ${address}. We'll email you a link.`,
    dead: {
      unknown: {
        title: 'This link does not work',
        paragraphs: [
          'It does not belong to any invitation, or part of it is missing.',
          'Open the link in the email again, or copy all of it into the address bar. ' +
            "If that doesn't help, ask for the invitation to be sent again.",
        ],
      },
      used: {
        title: 'This invitation has been accepted',
        paragraphs: [
          "If you accepted it, you're all set: you've joined the team. To sign in, enter your address in the console.",
          "If it wasn't you, tell the person who invited you right away.",
        ],
      },
      revoked: {
        title: 'This invitation was withdrawn',
        paragraphs: ['Its link no longer works. If you think this is a mistake, ask the person who invited you.'],
      },
      superseded: {
        title: 'There is a newer invitation',
        paragraphs: [
          'We sent you a newer email. Use the link in that one.',
          "Can't find it? Look in your spam folder, or ask for the invitation to be sent again.",
        ],
      },
    },
    expired: ({ inviter, publication, address }, isMailed) => ({
      title: 'This invitation has expired',
      paragraphs: [
        `It came from ${inviter === null ? `the team of ${publication}` : `${inviter.name} (${inviter.email})`}.`,
        isMailed
          ? `We can send a new link to ${address}.`
          : "Ask them to send it again. You'll get a new email with a new link.",
      ],
    }),
    askInviter: (name) => `Write to ${name}`,
    again: 'Send me a new link',
    sentAgain: (address) => ({
      title: 'A new link is on its way',
      paragraphs: [`We are sending it to ${address}. Can't find it? Look in your spam folder.`],
    }),
    failed: {
      'too large': {
        title: 'Your name is too long for this form',
        paragraphs: [
          'A name can have at most 191 characters. Your invitation is still valid.',
          'Go back to the invitation and enter a shorter name.',
        ],
      },
      unreadable: {
        title: 'The form could not be read',
        paragraphs: [
          'It arrived in an unexpected format. Your invitation is still valid.',
          "Go back to the invitation and try again. If that doesn't help, use another browser.",
        ],
      },
      ours: {
        title: 'Something went wrong on our side',
        paragraphs: ['Your invitation is still valid. Please try again in a few minutes.'],
      },
    },
    toConsole: 'Open the console',
    toInvitation: 'Back to the invitation',
  },
};
