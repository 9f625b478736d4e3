/** The texts of the sign-in view. */
import { section } from './section.ts';

export const signIn = section(
  {
    title: 'Sign in',
    expired: 'Your session has ended. Sign in to continue where you left off: what you typed is still there.',
    email: 'Your email address',
    emailHint: 'The address that you joined the staff with.',
    send: 'Send me a link',
    sentTitle: 'Check your email',
    sent: (email: string) =>
      `If ${email} belongs to a staff member, an email with a link is on its way. The link works once, for 15 minutes.`,
    sentHere: 'On this machine, it is in the mailbox that npm start has printed.',
    again: 'Use another address',
    orKey: 'Sign in with a staff access token',
    key: 'Staff access token',
    keyHint: 'It looks like id:secret. It is kept in this tab only, until you close or reload it.',
    keyForm: 'A staff access token has 24 hex characters, a colon, and 64 hex characters.',
    notStaff: 'This is the key of an integration. The console needs the token of a staff member.',
    withKey: 'Sign in with the token',
  },
  {
    title: 'Anmelden',
    expired:
      'Ihre Sitzung ist abgelaufen. Melden Sie sich an und machen Sie weiter, wo Sie waren: ' +
      'Ihre Eingaben sind noch da.',
    email: 'Ihre E-Mail-Adresse',
    emailHint: 'Die Adresse, mit der Sie dem Team beigetreten sind.',
    send: 'Link senden',
    sentTitle: 'Sehen Sie in Ihrem Postfach nach',
    sent: (email) =>
      `Wenn ${email} zu einem Teammitglied gehört, ist eine E-Mail mit einem Link unterwegs. ` +
      'Der Link gilt 15 Minuten und nur einmal.',
    sentHere: 'Auf diesem Rechner finden Sie sie in der Mailbox, die npm start ausgibt.',
    again: 'Andere Adresse verwenden',
    orKey: 'Mit einem Zugriffstoken anmelden',
    key: 'Zugriffstoken',
    keyHint: 'Im Format id:secret. Es bleibt nur in diesem Tab gespeichert, bis Sie ihn schließen oder neu laden.',
    keyForm: 'Ein Zugriffstoken besteht aus 24 Hexadezimalzeichen, einem Doppelpunkt und 64 Hexadezimalzeichen.',
    notStaff: 'Das ist der Schlüssel einer Integration. Die Konsole braucht das Zugriffstoken eines Teammitglieds.',
    withKey: 'Mit dem Token anmelden',
  },
);
