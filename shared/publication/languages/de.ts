/** Pages and mails in German. */
import { germanRoles } from './german-roles.ts';
import type { Language } from './language.ts';

export const de: Language = {
  tag: 'de',
  months: 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember'.split(' '),
  dateAndTime: (day, month, time) => `${day}. ${month} um ${time}`,
  roles: germanRoles,
  buttonFallback: 'Falls die Schaltfläche nicht funktioniert, öffnen Sie diesen Link:',
  signIn: {
    action: 'Anmelden',
    title: (publication) => `Anmeldung bei ${publication}`,
    validity: ({ address, minutes }) =>
      `Dieser Link gilt nur für ${address} und nur einmal. Er läuft ${minutes} Minuten nach dem Versand dieser E-Mail ab.`,
    unexpected:
      'Sie wollten sich nicht anmelden? Dann können Sie diese E-Mail ignorieren. Leiten Sie sie nicht weiter: Mit dem Link kann sich jeder ohne Passwort anmelden.',
    change: {
      action: 'Diese Adresse verwenden',
      title: (publication) => `Ihre neue Adresse bei ${publication}`,
      validity: ({ address, hours }) =>
        `Möchten Sie sich künftig mit ${address} anmelden? Dieser Link gilt nur einmal. Er läuft ${hours} Stunden nach dem Versand dieser E-Mail ab.`,
      unexpected:
        'Sie wissen nichts davon? Dann können Sie diese E-Mail ignorieren: Ohne Ihre Bestätigung ändert sich nichts.',
    },
    page: {
      title: (name) => `Anmelden als ${name}`,
      lead: (address) => `Dieser Link gilt nur für ${address} und nur einmal.`,
      change: ({ from, to }) =>
        `Ihre Adresse ${from} wird durch ${to} ersetzt. Sie melden sich künftig mit der neuen Adresse an. Sitzungen auf anderen Geräten enden.`,
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
          'Er wurde schon benutzt, ist abgelaufen, oder ein Teil von ihm fehlt. Ein Link gilt einmal und 15 Minuten lang.',
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
  },
  accountNotice: {
    action: 'Zugang prüfen',
    token: {
      title: (publication) => `Neues Zugriffstoken für ${publication}`,
      made: ({ address, by, at }) =>
        `Für Ihr Konto ${address} wurde am ${at}${by === null ? '' : ` von ${by}`} ein Zugriffstoken erstellt. Programme mit diesem Token können in Ihrem Namen handeln, bis es ersetzt wird. Frühere Token gelten nicht mehr.`,
      unexpected:
        'Sie wissen nichts davon? Erstellen Sie ein neues Token, damit dieses nicht mehr gilt, beenden Sie Sitzungen, die Sie nicht kennen, und informieren Sie die Administration.',
    },
    addressAsked: {
      title: (publication) => `Neue Adresse für ${publication}`,
      made: ({ address, by, other, at }) =>
        `Am ${at} hat ${by ?? 'der Betrieb der Website'} darum gebeten, ${address}, die Adresse Ihres Kontos, durch ${other} zu ersetzen. Sie ändert sich, sobald jemand den Link bestätigt, der dorthin gesendet wurde.`,
      unexpected:
        'Sie wissen nichts davon? Geben Sie in der Konsole unter „Adresse ändern“ Ihre bisherige Adresse ein: Dann gilt der Link nicht mehr. Beenden Sie Sitzungen, die Sie nicht kennen, und informieren Sie die Administration.',
    },
    addressChanged: {
      title: (publication) => `Ihre Adresse bei ${publication} wurde geändert`,
      made: ({ address, by, other, at }) =>
        `Am ${at} hat ${by ?? 'der Betrieb der Website'} ${address}, die Adresse Ihres Kontos, durch ${other} ersetzt. Sie melden sich künftig mit dieser Adresse an.`,
      unexpected: 'Sie wissen nichts davon? Informieren Sie sofort die Administration oder den Betrieb der Website.',
    },
    ownerReceived: {
      title: (publication) => `${publication} gehört jetzt Ihnen`,
      made: ({ address, by, other, at }) =>
        `Am ${at} hat ${by ?? 'der Betrieb der Website'} Ihrem Konto ${address} die Inhaberschaft übertragen. ${other} gehört jetzt zur Administration.`,
      unexpected: 'Sie wissen nichts davon? Sprechen Sie mit den genannten Personen.',
    },
    ownerGiven: {
      title: (publication) => `${publication} gehört nicht mehr Ihnen`,
      made: ({ address, by, other, at }) =>
        `Am ${at} hat ${by ?? 'der Betrieb der Website'} die Inhaberschaft auf ${other} übertragen. Ihr Konto ${address} gehört jetzt zur Administration.`,
      unexpected:
        'Sie wissen nichts davon? Informieren Sie sofort den Betrieb der Website: Nur er kann Ihnen die Inhaberschaft ohne die neue Inhaberin oder den neuen Inhaber zurückgeben.',
    },
    secretsRead: {
      title: (publication) => `Webhook-Secrets von ${publication} wurden gelesen`,
      made: ({ by, other, at }) =>
        `Am ${at} hat ${by ?? 'jemand'} die Secrets der Webhooks gelesen, die von ${other} hierher umgezogen sind. Der Umzug zurück zu Ghost braucht diese Secrets.`,
      unexpected:
        'Sie wissen nichts davon? Fragen Sie die genannte Person. Wenn niemand Webhooks zurück umgezogen hat, ersetzen Sie diese Secrets bei den Empfängern.',
    },
  },
  invitation: {
    action: 'Einladung annehmen',
    validity: ({ address, until }) =>
      `Diese Einladung gilt nur für ${address} und nur einmal. Sie läuft am ${until} ab.`,
    mail: {
      subject: ({ publication, inviter }) =>
        inviter === null ? `Ihre Einladung zu ${publication}` : `${inviter.name} lädt Sie zu ${publication} ein`,
      title: ({ publication, inviter, role }) =>
        `${inviter === null ? 'Sie sind eingeladen' : `${inviter.name} lädt Sie ein`}, in der Rolle „${role}“ bei ${publication} mitzuarbeiten`,
      unexpected: ({ inviter }) =>
        `Sie haben diese Einladung nicht erwartet? Dann können Sie diese E-Mail ignorieren. Solange Sie nicht annehmen, wird kein Konto angelegt.${
          inviter === null
            ? ''
            : ` Fragen dazu beantwortet ${inviter.name}: Antworten Sie auf diese E-Mail oder schreiben Sie an ${inviter.email}.`
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
        'not plain':
          'Bitte geben Sie einen Namen ohne Webadressen, Telefonnummern oder Sonderzeichen ein. Gehört ein Punkt zum Namen, setzen Sie ein Leerzeichen dahinter.',
      },
      errorPrefix: 'Fehler: ',
      unexpected:
        'Sie haben diese Einladung nicht erwartet? Dann können Sie diese Seite schließen. Solange Sie nicht annehmen, wird kein Konto angelegt.',
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
            'Öffnen Sie den Link in der E-Mail noch einmal oder kopieren Sie ihn vollständig in die Adresszeile. Hilft das nicht, bitten Sie darum, die Einladung erneut zu senden.',
          ],
        },
        used: {
          title: 'Diese Einladung wurde schon angenommen',
          paragraphs: [
            'Waren Sie das selbst, ist alles in Ordnung: Sie gehören zum Team. Zum Anmelden geben Sie in der Konsole Ihre E-Mail-Adresse ein.',
            'Waren Sie es nicht, informieren Sie bitte gleich die Person, die Sie eingeladen hat.',
          ],
        },
        revoked: {
          title: 'Diese Einladung wurde zurückgezogen',
          paragraphs: [
            'Der Link funktioniert nicht mehr. Wenn Sie das für ein Versehen halten, fragen Sie die Person, die Sie eingeladen hat.',
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
      expired: ({ inviter, publication }) => ({
        title: 'Diese Einladung ist abgelaufen',
        paragraphs: [
          inviter === null
            ? `Bitten Sie das Team von ${publication}, sie erneut zu senden. Sie erhalten dann eine neue E-Mail mit einem neuen Link.`
            : `Sie kam von ${inviter.name} (${inviter.email}). Bitten Sie darum, sie erneut zu senden. Sie erhalten dann eine neue E-Mail mit einem neuen Link.`,
        ],
      }),
      askInviter: (name) => `An ${name} schreiben`,
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
            'Gehen Sie zurück zur Einladung und versuchen Sie es erneut. Hilft das nicht, verwenden Sie einen anderen Browser.',
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
  },
  notice: {
    texts: {
      failing: {
        title: 'Ein Webhook ist gestört',
        summary: ({ since, end }) =>
          `Seit dem ${since} ist jeder Versuch fehlgeschlagen. Die Zustellungen werden automatisch wiederholt. Gelingt bis zum ${end} keine davon, wird der Webhook deaktiviert.`,
        steps: { log: 'So sehen Sie alle Versuche mit ihren Fehlern:' },
      },
      disabled: {
        title: 'Ein Webhook wurde deaktiviert',
        summary: ({ since, keepDays }) =>
          `Seit dem ${since} ist jeder Versuch fehlgeschlagen, daher wird nichts mehr gesendet. Neue Zustellungen werden ${keepDays} Tage lang zurückgehalten; so lange können Sie sie erneut senden.`,
        steps: {
          enable: 'Sobald der Empfänger wieder funktioniert, aktivieren Sie den Webhook:',
          replay:
            'Senden Sie dann die zurückgehaltenen Zustellungen erneut. Für die zuvor fehlgeschlagenen führen Sie den Befehl noch einmal aus, mit "failed" statt "held":',
        },
      },
      declined: {
        title: 'Ein Webhook wurde vom Empfänger deaktiviert',
        summary: ({ keepDays, deletion }) =>
          `Der Empfänger möchte keine Zustellungen mehr (410 oder webhook-delivery: disable), daher wird nichts mehr gesendet. Die beantwortete Zustellung und alle neuen warten; ${keepDays} Tage lang können Sie sie erneut senden. Ändert niemand den Webhook, wird er am ${deletion} gelöscht.`,
        steps: {
          enable: 'War das ein Versehen, aktivieren Sie den Webhook wieder:',
          replay: 'Senden Sie dann die zurückgehaltenen Zustellungen erneut:',
        },
      },
    },
    labels: {
      webhook: 'Webhook',
      integration: 'Integration',
      receiver: 'Empfänger',
      answer: 'Antwort',
      lastError: 'Letzter Fehler',
    },
    errors: {
      dns: 'der Hostname ließ sich nicht auflösen',
      connect: 'die Verbindung ist fehlgeschlagen',
      tls: 'der TLS-Handshake ist fehlgeschlagen',
      tls_expired: 'das Zertifikat ist abgelaufen',
      tls_not_yet_valid: 'das Zertifikat gilt noch nicht',
      tls_wrong_host: 'das Zertifikat gilt für einen anderen Namen',
      tls_self_signed: 'das Zertifikat ist selbst signiert',
      tls_unknown_issuer: 'der Aussteller des Zertifikats ist unbekannt',
      tls_client_certificate: 'der Server verlangt ein Client-Zertifikat',
      timeout: 'der Empfänger hat nicht rechtzeitig geantwortet',
      reset: 'der Empfänger hat die Verbindung geschlossen',
      protocol: 'die Antwort war kein gültiges HTTP',
      blocked: 'die Adresse ist nicht erlaubt',
    },
    token:
      '$TOKEN steht für ein Token, das mit einem Admin-API-Schlüssel signiert ist. Wie Sie es erstellen, steht in der API-Dokumentation.',
    action: 'API-Dokumentation öffnen',
  },
};
