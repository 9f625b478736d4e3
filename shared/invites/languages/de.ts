/** The invitation in German. */
import type { Language } from './language.ts';

export const de: Language = {
  tag: 'de',
  locale: 'de-DE',
  roles: {
    Administrator: 'Administration',
    'Super Editor': 'Redaktionsleitung',
    Editor: 'Redaktion',
    Author: 'Autorin oder Autor',
    Contributor: 'Freie Mitarbeit',
  },
  labels: {
    publication: 'Publikation',
    role: 'Ihre Rolle',
    address: 'Ihre Adresse',
    invitedBy: 'Eingeladen von',
    validUntil: 'Gültig bis',
  },
  title: ({ publication }) => `Einladung zu ${publication}`,
  lead: ({ publication, inviter, role }) =>
    inviter === null
      ? `Sie sind eingeladen, bei ${publication} mitzuarbeiten, in der Rolle „${role}“.`
      : `${inviter.name} lädt Sie ein, bei ${publication} mitzuarbeiten, in der Rolle „${role}“.`,
  action: 'Einladung annehmen',
  mail: {
    subject: ({ publication, inviter }) =>
      inviter === null ? `Ihre Einladung zu ${publication}` : `${inviter.name} lädt Sie zu ${publication} ein`,
    once: (until) => `Der Link ist nur für Sie. Er funktioniert einmal und bis ${until}.`,
    otherwise: 'Falls die Schaltfläche nicht funktioniert, öffnen Sie diesen Link:',
    mistakeTitle: 'Sie haben das nicht erwartet?',
    mistake: ({ inviter }) =>
      inviter === null
        ? 'Dann tun Sie einfach nichts: Ohne Sie entsteht kein Konto, und die Einladung endet von selbst.'
        : `Dann tun Sie einfach nichts: Ohne Sie entsteht kein Konto, und die Einladung endet von selbst. Um ${inviter.name} danach zu fragen, antworten Sie auf diese Mail.`,
  },
  page: {
    name: 'Ihr Name',
    nameHint: 'Mit diesem Namen erscheinen Sie im Team.',
    nameMissing: 'Bitte geben Sie Ihren Namen ein.',
    nameTooLong: 'Bitte geben Sie einen Namen mit höchstens 191 Zeichen ein.',
    errorPrefix: 'Fehler: ',
    mistake:
      'Sie haben das nicht erwartet? Dann schließen Sie diese Seite: Noch ist nichts geschehen, und die Einladung endet von selbst.',
    accepted: ({ publication, inviter, role }, name) => ({
      title: `Willkommen, ${name}`,
      paragraphs: [
        `Sie gehören jetzt zum Team von ${publication}, in der Rolle „${role}“.`,
        inviter === null
          ? 'Sie können diese Seite schließen. Wenn Sie noch nicht wissen, wie Sie sich anmelden, fragen Sie Ihr Team.'
          : `Sie können diese Seite schließen. Wenn Sie noch nicht wissen, wie Sie sich anmelden, fragen Sie ${inviter.name}.`,
      ],
    }),
    dead: {
      unknown: () => ({
        title: 'Dieser Link funktioniert nicht',
        paragraphs: [
          'Er gehört zu keiner Einladung, oder ein Teil von ihm ist unterwegs verloren gegangen.',
          'Öffnen Sie den Link in der Mail noch einmal, oder kopieren Sie ihn vollständig in die Adresszeile. Wenn das nicht hilft, bitten Sie darum, die Einladung noch einmal zu senden.',
        ],
      }),
      used: (publication) => ({
        title: 'Diese Einladung wurde schon angenommen',
        paragraphs: [
          `Eine Einladung funktioniert einmal. Wenn Sie selbst sie angenommen haben, ist alles gut: Sie gehören zum Team von ${publication}.`,
          'Wenn Sie es nicht waren, sagen Sie es gleich der Person, die Sie eingeladen hat.',
        ],
      }),
      expired: () => ({
        title: 'Diese Einladung ist abgelaufen',
        paragraphs: [
          'Bitten Sie die Person, die Sie eingeladen hat, sie noch einmal zu senden. Sie bekommen dann eine neue Mail mit einem neuen Link.',
          'Mehr ist nicht nötig: Ihre Adresse ist schon bekannt.',
        ],
      }),
      revoked: (publication) => ({
        title: 'Diese Einladung wurde zurückgezogen',
        paragraphs: [
          `${publication} hat diese Einladung zurückgenommen, und ihr Link funktioniert nicht mehr.`,
          'Wenn Sie das für einen Irrtum halten, fragen Sie die Person, die Sie eingeladen hat.',
        ],
      }),
      superseded: (publication) => ({
        title: 'Es gibt eine neuere Einladung',
        paragraphs: [
          `${publication} hat Ihnen inzwischen eine neuere Mail gesendet. Deren Link gilt anstelle von diesem.`,
          'Bitte öffnen Sie die neueste Mail. Wenn Sie sie nicht finden, sehen Sie im Spam nach, oder bitten Sie darum, die Einladung noch einmal zu senden.',
        ],
      }),
    },
    failed: {
      'too large': {
        title: 'Ihr Name ist zu lang für dieses Formular',
        paragraphs: [
          'Es kam viel mehr an als ein Name von höchstens 191 Zeichen, und nichts davon wurde gelesen. Ihre Einladung gilt weiter.',
          'Öffnen Sie den Link in der Mail noch einmal, und geben Sie einen kürzeren Namen ein.',
        ],
      },
      unreadable: {
        title: 'Das Formular war nicht lesbar',
        paragraphs: [
          'Es kam in einer anderen Form an, als diese Seite es sendet. Ihre Einladung gilt weiter.',
          'Öffnen Sie den Link in der Mail noch einmal, und senden Sie das Formular von dort. Wenn das nicht hilft, versuchen Sie es mit einem anderen Browser.',
        ],
      },
      ours: {
        title: 'Bei uns ist etwas schiefgegangen',
        paragraphs: ['Ihre Einladung gilt weiter. Bitte versuchen Sie es in ein paar Minuten noch einmal.'],
      },
    },
    toPublication: (publication) => `Zu ${publication}`,
  },
};
