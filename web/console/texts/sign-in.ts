/** The texts of the sign-in view. */
import { section } from './section.ts';

export const signIn = section(
  {
    title: 'Sign in',
    expired: 'Your session has ended. Sign in to continue where you were: what you typed is still there.',
    email: 'Your email address',
    emailHint: 'The address with which you joined the staff.',
    send: 'Send me a link',
    sentTitle: 'Check your mail',
    sent: (email: string) =>
      `If ${email} belongs to a staff member, a mail with a link is on its way. The link works once, for 15 minutes.`,
    again: 'Use another address',
    orKey: 'Sign in with a staff access token',
    key: 'Staff access token',
    keyHint: 'The form is id:secret. It stays in the memory of this tab and is gone when you close or reload it.',
    keyForm: 'A staff access token has 24 hex characters, a colon, and 64 hex characters.',
    notStaff: 'This is the key of an integration. The console needs the token of a staff member.',
    withKey: 'Sign in with the token',
    opening: 'Opening the link …',
    confirmTitle: 'Sign in as',
    confirmHelp: 'If you did not request this link yourself, do not sign in.',
    confirmOther: (name: string) => `You are signed in as ${name} now. Signing in changes who you act as.`,
    confirm: 'Sign in',
    decline: 'Not now',
    deadLink: 'The link does not work any more',
    deadLinkHelp: 'A link works once, for 15 minutes. Request a new one.',
    newLink: 'Request a new link',
  },
  {
    title: 'Anmelden',
    expired:
      'Ihre Sitzung ist beendet. Melden Sie sich an, um dort weiterzumachen: Was Sie eingegeben haben, ist noch da.',
    email: 'Ihre E-Mail-Adresse',
    emailHint: 'Die Adresse, mit der Sie dem Team beigetreten sind.',
    send: 'Link senden',
    sentTitle: 'Sehen Sie in Ihr Postfach',
    sent: (email) =>
      `Wenn ${email} zu einem Teammitglied gehört, ist eine E-Mail mit einem Link unterwegs. Der Link funktioniert einmal, 15 Minuten lang.`,
    again: 'Andere Adresse verwenden',
    orKey: 'Mit einem Zugangstoken anmelden',
    key: 'Zugangstoken',
    keyHint:
      'Die Form ist id:secret. Es bleibt im Speicher dieses Tabs und ist weg, wenn Sie ihn schließen oder neu laden.',
    keyForm: 'Ein Zugangstoken hat 24 Hexadezimalzeichen, einen Doppelpunkt und 64 Hexadezimalzeichen.',
    notStaff: 'Das ist der Schlüssel einer Integration. Die Konsole braucht das Zugangstoken eines Teammitglieds.',
    withKey: 'Mit dem Token anmelden',
    opening: 'Der Link wird geöffnet …',
    confirmTitle: 'Anmelden als',
    confirmHelp: 'Wenn Sie diesen Link nicht selbst angefordert haben, melden Sie sich nicht an.',
    confirmOther: (name) => `Sie sind jetzt als ${name} angemeldet. Mit der Anmeldung handeln Sie unter anderem Namen.`,
    confirm: 'Anmelden',
    decline: 'Nicht jetzt',
    deadLink: 'Der Link funktioniert nicht mehr',
    deadLinkHelp: 'Ein Link funktioniert einmal, 15 Minuten lang. Fordern Sie einen neuen an.',
    newLink: 'Neuen Link anfordern',
  },
);
