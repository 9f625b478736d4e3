/** Pages in German. */
import type { PageTexts } from './language.ts';

export const dePages: PageTexts = {
  signIn: {
    title: (name) => `Anmelden als ${name}`,
    lead: (address) => `Dieser Link gilt nur für ${address} und nur einmal.`,
    change: ({ from, to }) =>
      `Ihre Adresse ${from} wird durch ${to} ersetzt. Sie melden sich künftig mit der neuen Adresse an. ` +
      'Sitzungen auf anderen Geräten enden.',
    changeAction: 'Adresse verwenden und anmelden',
    unexpected:
      'Sie wollten sich nicht anmelden? Dann schließen Sie diese Seite: Ohne Ihre Bestätigung wird niemand angemeldet.',
    other: ({ name, address }) =>
      `Sie sind als ${name} (${address}) angemeldet. Wenn Sie fortfahren, werden Sie abgemeldet.`,
    instead: (name) => `Als ${name} fortfahren`,
    stay: (name) => `Als ${name} angemeldet bleiben`,
    dead: {
      title: 'Dieser Link funktioniert nicht',
      paragraphs: [
        'Er wurde schon benutzt, ist abgelaufen, oder ein Teil von ihm fehlt. ' +
          'Ein Link gilt einmal, bis zu der Zeit in seiner E-Mail.',
        'Wenn Sie in der Konsole Ihre Adresse eingeben, bekommen Sie einen neuen.',
      ],
    },
    another: 'Neuen Link anfordern',
    failed: {
      unreadable: {
        title: 'Das Formular war nicht lesbar',
        paragraphs: [
          'Ihr Link gilt weiterhin. Öffnen Sie ihn noch einmal. Hilft das nicht, verwenden Sie einen anderen Browser.',
        ],
      },
      ours: {
        title: 'Bei uns ist etwas schiefgegangen',
        paragraphs: ['Ihr Link gilt weiterhin. Bitte versuchen Sie es in einigen Minuten noch einmal.'],
      },
    },
    again: 'Link noch einmal öffnen',
  },
  invitation: {
    title: () => 'Einladung ins Team',
    lead: ({ inviter, role }) =>
      inviter === null
        ? `Sie sind eingeladen, in der Rolle „${role}“ mitzuarbeiten.`
        : `${inviter.name} (${inviter.email}) lädt Sie ein, in der Rolle „${role}“ mitzuarbeiten.`,
    name: 'Ihr Name',
    nameHint: 'Ihr Team sieht diesen Namen.',
    nameProblems: {
      missing: 'Bitte geben Sie Ihren Namen ein.',
      'too long': 'Bitte geben Sie einen Namen mit höchstens 191 Zeichen ein.',
      'not plain':
        'Bitte geben Sie einen Namen ohne Webadressen, Telefonnummern oder Sonderzeichen ein. ' +
        'Gehört ein Punkt zum Namen, setzen Sie ein Leerzeichen dahinter.',
    },
    errorPrefix: 'Fehler: ',
    unexpected:
      'Sie haben diese Einladung nicht erwartet? Dann können Sie diese Seite schließen. ' +
      'Solange Sie nicht annehmen, wird kein Konto angelegt.',
    welcome: (name) => `Willkommen, ${name}`,
    alreadyJoined: {
      title: 'Sie gehören zum Team',
      paragraphs: ['Ihre Einladung ist angenommen.'],
    },
    joined: ({ publication, role }) => `Sie gehören jetzt zum Team von ${publication}. Ihre Rolle ist „${role}“.`,
    signIn: ({ address }) =>
      `Dort melden Sie sich künftig mit ${address} an: Sie erhalten jedes Mal einen Link per E-Mail.`,
    dead: {
      unknown: {
        title: 'Dieser Link funktioniert nicht',
        paragraphs: [
          'Er gehört zu keiner Einladung oder ist unvollständig.',
          'Öffnen Sie den Link in der E-Mail noch einmal oder kopieren Sie ihn vollständig in die Adresszeile. ' +
            'Hilft das nicht, bitten Sie darum, die Einladung erneut zu senden.',
        ],
      },
      used: {
        title: 'Diese Einladung wurde schon angenommen',
        paragraphs: [
          'Waren Sie das selbst, ist alles in Ordnung: Sie gehören zum Team. ' +
            'Zum Anmelden geben Sie in der Konsole Ihre E-Mail-Adresse ein.',
          'Waren Sie es nicht, informieren Sie bitte gleich die Person, die Sie eingeladen hat.',
        ],
      },
      revoked: {
        title: 'Diese Einladung wurde zurückgezogen',
        paragraphs: [
          'Der Link funktioniert nicht mehr. Wenn Sie das für ein Versehen halten, fragen Sie die Person, die Sie ' +
            'eingeladen hat.',
        ],
      },
      superseded: {
        title: 'Es gibt eine neuere Einladung',
        paragraphs: [
          'Wir haben Ihnen inzwischen eine weitere E-Mail gesendet. Verwenden Sie den Link aus der neuesten.',
          'Sie finden sie nicht? Sehen Sie im Spam-Ordner nach oder bitten Sie darum, die Einladung erneut zu senden.',
        ],
      },
    },
    expired: ({ inviter, publication, address }, isMailed) => ({
      title: 'Diese Einladung ist abgelaufen',
      paragraphs: [
        `Sie kam ${inviter === null ? `vom Team von ${publication}` : `von ${inviter.name} (${inviter.email})`}.`,
        isMailed
          ? `Wir können einen neuen Link an ${address} senden.`
          : 'Bitten Sie darum, sie erneut zu senden. Sie erhalten dann eine neue E-Mail mit einem neuen Link.',
      ],
    }),
    askInviter: (name) => `An ${name} schreiben`,
    again: 'Neuen Link senden',
    sentAgain: (address) => ({
      title: 'Ein neuer Link ist unterwegs',
      paragraphs: [`Wir senden ihn an ${address}. Sie finden die E-Mail nicht? Sehen Sie im Spam-Ordner nach.`],
    }),
    failed: {
      'too large': {
        title: 'Ihr Name ist zu lang für dieses Formular',
        paragraphs: [
          'Der Name darf höchstens 191 Zeichen haben. Ihre Einladung gilt weiterhin.',
          'Gehen Sie zurück zur Einladung und geben Sie einen kürzeren Namen ein.',
        ],
      },
      unreadable: {
        title: 'Das Formular konnte nicht gelesen werden',
        paragraphs: [
          'Es kam in einem unerwarteten Format an. Ihre Einladung gilt weiterhin.',
          'Gehen Sie zurück zur Einladung und versuchen Sie es erneut. Hilft das nicht, verwenden Sie einen anderen ' +
            'Browser.',
        ],
      },
      ours: {
        title: 'Bei uns ist etwas schiefgegangen',
        paragraphs: ['Ihre Einladung gilt weiterhin. Bitte versuchen Sie es in ein paar Minuten erneut.'],
      },
    },
    toConsole: 'Konsole öffnen',
    toInvitation: 'Zurück zur Einladung',
  },
};
