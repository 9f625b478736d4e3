/** Pages and mails in German. */
import type { Language } from './language.ts';

export const de: Language = {
  tag: 'de',
  months: 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember'.split(' '),
  dateAndTime: (day, month, time) => `${day}. ${month} um ${time}`,
  roles: {
    Administrator: 'Administration',
    'Super Editor': 'Redaktionsleitung',
    Editor: 'Redaktion',
    Author: 'Autorin oder Autor',
    Contributor: 'Freie Mitarbeit',
  },
  buttonFallback: 'Falls die Schaltfläche nicht funktioniert, öffnen Sie diesen Link:',
  signIn: {
    action: 'Anmelden',
    title: (publication) => `Anmeldung bei ${publication}`,
    validity: ({ address, minutes }) =>
      `Dieser Link ist für ${address}. Er funktioniert einmal und läuft ${minutes} Minuten nach dem Versand dieser E-Mail ab.`,
    unexpected:
      'Sie haben das nicht erwartet? Dann können Sie diese E-Mail ignorieren. Leiten Sie sie nicht weiter: Der Link meldet ohne Passwort an.',
  },
  tokenNotice: {
    title: (publication) => `Neues Zugangstoken für ${publication}`,
    made: ({ address, by, at }) =>
      `Für Ihr Konto ${address} wurde am ${at}${by === null ? '' : ` von ${by}`} ein Zugangstoken erstellt. Programme, die es haben, können in Ihrem Namen handeln, bis es ersetzt wird. Frühere Token gelten nicht mehr.`,
    unexpected:
      'Sie haben das nicht erwartet? Erstellen Sie ein neues Token, damit dieses nicht mehr gilt, beenden Sie unbekannte Sitzungen und sagen Sie der Administration Bescheid.',
    action: 'Zugang prüfen',
  },
  invitation: {
    action: 'Einladung annehmen',
    validity: ({ address, until }) =>
      `Diese Einladung ist für ${address}. Sie funktioniert einmal und läuft am ${until} ab.`,
    mail: {
      subject: ({ publication, inviter }) =>
        inviter === null ? `Ihre Einladung zu ${publication}` : `${inviter.name} lädt Sie zu ${publication} ein`,
      title: ({ publication, inviter, role }) =>
        `${inviter === null ? 'Sie sind eingeladen' : `${inviter.name} lädt Sie ein`}, bei ${publication} mitzuarbeiten, in der Rolle „${role}“`,
      unexpected: ({ inviter }) =>
        `Sie haben das nicht erwartet? Dann können Sie diese E-Mail ignorieren. Ohne Ihre Zusage entsteht kein Konto.${
          inviter === null
            ? ''
            : ` Um ${inviter.name} danach zu fragen, antworten Sie auf diese E-Mail oder schreiben Sie an ${inviter.email}.`
        }`,
    },
    page: {
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
        'not plain': 'Bitte geben Sie einen Namen ohne Webadressen und Sonderzeichen ein.',
      },
      errorPrefix: 'Fehler: ',
      unexpected:
        'Sie haben das nicht erwartet? Dann können Sie diese Seite schließen. Ohne Ihre Zusage entsteht kein Konto.',
      welcome: (name) => `Willkommen, ${name}`,
      joined: ({ publication, role }) => `Sie gehören jetzt zum Team von ${publication}, in der Rolle „${role}“.`,
      signIn: ({ address }) =>
        `Später melden Sie sich dort mit ${address} an. Sie bekommen dann einen Link per E-Mail.`,
      dead: {
        unknown: {
          title: 'Dieser Link funktioniert nicht',
          paragraphs: [
            'Er gehört zu keiner Einladung, oder ein Teil von ihm fehlt.',
            'Öffnen Sie den Link in der E-Mail noch einmal, oder kopieren Sie ihn vollständig in die Adresszeile. Wenn das nicht hilft, bitten Sie darum, die Einladung noch einmal zu senden.',
          ],
        },
        used: {
          title: 'Diese Einladung wurde schon angenommen',
          paragraphs: [
            'Wenn Sie sie angenommen haben, ist alles erledigt: Sie gehören zum Team. Zum Anmelden geben Sie in der Konsole Ihre Adresse ein.',
            'Wenn Sie es nicht waren, sagen Sie es gleich der Person, die Sie eingeladen hat.',
          ],
        },
        expired: {
          title: 'Diese Einladung ist abgelaufen',
          paragraphs: [
            'Bitten Sie die Person, die Sie eingeladen hat, sie noch einmal zu senden. Sie bekommen dann eine neue E-Mail mit einem neuen Link.',
          ],
        },
        revoked: {
          title: 'Diese Einladung wurde zurückgezogen',
          paragraphs: [
            'Ihr Link funktioniert nicht mehr. Wenn Sie das für einen Irrtum halten, fragen Sie die Person, die Sie eingeladen hat.',
          ],
        },
        superseded: {
          title: 'Es gibt eine neuere Einladung',
          paragraphs: [
            'Wir haben Ihnen eine neuere E-Mail gesendet. Verwenden Sie den Link darin.',
            'Sie finden sie nicht? Sehen Sie im Spam-Ordner nach, oder bitten Sie darum, die Einladung noch einmal zu senden.',
          ],
        },
      },
      failed: {
        'too large': {
          title: 'Ihr Name ist zu lang für dieses Formular',
          paragraphs: [
            'Das Formular nimmt einen Namen mit höchstens 191 Zeichen an. Ihre Einladung gilt weiter.',
            'Gehen Sie zurück zur Einladung, und geben Sie einen kürzeren Namen ein.',
          ],
        },
        unreadable: {
          title: 'Das Formular war nicht lesbar',
          paragraphs: [
            'Es kam nicht in dem Format an, das diese Seite sendet. Ihre Einladung gilt weiter.',
            'Gehen Sie zurück zur Einladung, und versuchen Sie es noch einmal. Wenn das nicht hilft, verwenden Sie einen anderen Browser.',
          ],
        },
        ours: {
          title: 'Bei uns ist etwas schiefgegangen',
          paragraphs: ['Ihre Einladung gilt weiter. Bitte versuchen Sie es in ein paar Minuten noch einmal.'],
        },
      },
      toConsole: 'Konsole öffnen',
      toInvitation: 'Zurück zur Einladung',
    },
  },
  notice: {
    texts: {
      failing: {
        title: 'Ein Webhook ist gestört',
        summary: ({ since, end }) =>
          `Seit dem ${since} ist jeder Versuch fehlgeschlagen. Zustellungen werden automatisch wiederholt. Gelingt bis zum ${end} keine, wird der Webhook deaktiviert.`,
        steps: { log: 'Jeden Versuch mit seinem Fehler zeigt das Protokoll der Zustellungen:' },
      },
      disabled: {
        title: 'Ein Webhook wurde deaktiviert',
        summary: ({ since, keepDays }) =>
          `Seit dem ${since} ist jeder Versuch fehlgeschlagen, daher wird nichts mehr gesendet. Neue Zustellungen werden ${keepDays} Tage lang zurückgehalten; Sie können sie erneut senden.`,
        steps: {
          enable: 'Sobald der Empfänger wieder funktioniert, aktivieren Sie den Webhook:',
          replay:
            'Senden Sie dann erneut, was zurückgehalten wurde. Für das, was vorher fehlgeschlagen war, führen Sie den Befehl noch einmal mit "failed" statt "held" aus:',
        },
      },
      declined: {
        title: 'Ein Webhook wurde von seinem Empfänger deaktiviert',
        summary: ({ keepDays }) =>
          `Der Empfänger möchte keine Zustellungen mehr (webhook-delivery: disable), daher wird nichts mehr gesendet. Neue Zustellungen werden ${keepDays} Tage lang zurückgehalten; Sie können sie erneut senden.`,
        steps: {
          enable: 'War das ein Versehen, aktivieren Sie den Webhook:',
          replay: 'Senden Sie dann erneut, was zurückgehalten wurde:',
        },
      },
    },
    labels: { webhook: 'Webhook', integration: 'Integration', receiver: 'Empfänger', lastError: 'Letzter Fehler' },
    errors: {
      dns: 'der Hostname ließ sich nicht auflösen',
      connect: 'die Verbindung ist fehlgeschlagen',
      tls: 'der TLS-Handshake ist fehlgeschlagen',
      tls_expired: 'das Zertifikat ist abgelaufen',
      tls_not_yet_valid: 'das Zertifikat gilt noch nicht',
      tls_wrong_host: 'das Zertifikat gilt für einen anderen Namen',
      tls_self_signed: 'das Zertifikat ist selbst signiert',
      tls_unknown_issuer: 'der Aussteller des Zertifikats ist unbekannt',
      timeout: 'keine Antwort in der vorgesehenen Zeit',
      reset: 'der Empfänger hat die Verbindung geschlossen',
      protocol: 'die Antwort war kein gültiges HTTP',
      blocked: 'die Adresse ist nicht erlaubt',
    },
    token:
      '$TOKEN ist ein Token, signiert mit einem Admin-API-Schlüssel; die Dokumentation zeigt, wie man es herstellt.',
    action: 'API-Dokumentation öffnen',
  },
};
