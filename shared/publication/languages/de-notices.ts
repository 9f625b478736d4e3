/** Mails about webhooks and accounts in German. */
import type { NoticeTexts } from './language.ts';

export const deNotices: NoticeTexts = {
  account: {
    action: 'Zugang prüfen',
    token: {
      title: (publication) => `Neues Zugriffstoken für ${publication}`,
      made: ({ address, by, at }) =>
        `Für Ihr Konto ${address} wurde am ${at}${by === null ? '' : ` von ${by}`} ein Zugriffstoken erstellt. ` +
        'Programme mit diesem Token können in Ihrem Namen handeln, bis es ersetzt wird. ' +
        'Frühere Token gelten nicht mehr.',
      unexpected:
        'Sie wissen nichts davon? Erstellen Sie ein neues Token, damit dieses nicht mehr gilt, beenden Sie ' +
        'Sitzungen, die Sie nicht kennen, und informieren Sie die Administration.',
    },
    addressAsked: {
      title: (publication) => `Neue Adresse für ${publication}`,
      made: ({ address, by, other, at }) =>
        `Am ${at} hat ${by ?? 'der Betrieb der Website'} darum gebeten, ${address}, die Adresse Ihres Kontos, ` +
        `durch ${other} zu ersetzen. Sie ändert sich, sobald jemand den Link bestätigt, der dorthin gesendet wurde.`,
      unexpected:
        'Sie wissen nichts davon? Geben Sie in der Konsole unter „Adresse ändern“ Ihre bisherige Adresse ein: Dann ' +
        'gilt der Link nicht mehr. Beenden Sie Sitzungen, die Sie nicht kennen, und informieren Sie die ' +
        'Administration.',
    },
    addressChanged: {
      title: (publication) => `Ihre Adresse bei ${publication} wurde geändert`,
      made: ({ address, by, other, at }) =>
        `Am ${at} hat ${by ?? 'der Betrieb der Website'} ${address}, die Adresse Ihres Kontos, durch ${other} ` +
        'ersetzt. Sie melden sich künftig mit dieser Adresse an.',
      unexpected: 'Sie wissen nichts davon? Informieren Sie sofort die Administration oder den Betrieb der Website.',
    },
    ownerReceived: {
      title: (publication) => `${publication} gehört jetzt Ihnen`,
      made: ({ address, by, other, at }) =>
        `Am ${at} hat ${by ?? 'der Betrieb der Website'} Ihrem Konto ${address} die Inhaberschaft übertragen. ` +
        `${other} gehört jetzt zur Administration.`,
      unexpected: 'Sie wissen nichts davon? Sprechen Sie mit den genannten Personen.',
    },
    ownerGiven: {
      title: (publication) => `${publication} gehört nicht mehr Ihnen`,
      made: ({ address, by, other, at }) =>
        `Am ${at} hat ${by ?? 'der Betrieb der Website'} die Inhaberschaft auf ${other} übertragen. ` +
        `Ihr Konto ${address} gehört jetzt zur Administration.`,
      unexpected:
        'Sie wissen nichts davon? Informieren Sie sofort den Betrieb der Website: Nur er kann Ihnen die ' +
        'Inhaberschaft ohne die neue Inhaberin oder den neuen Inhaber zurückgeben.',
    },
    invitesStopped: {
      action: 'Zurückgekommene anzeigen',
      title: (publication) => `Einladungen zu ${publication} sind angehalten`,
      made: ({ other, at }) =>
        `Viele der letzten Mails von ${other} kamen zurück oder wurden als Spam gemeldet. ` +
        `Seit dem ${at} kann ${other} niemanden einladen, und Einladungen, deren Mail noch aussteht, warten.`,
      unexpected:
        'Wenn die Adressen stimmen, widerrufen Sie in der Konsole die Einladungen, die zurückkamen: Die anderen ' +
        'gehen weiter. Wenn Sie die Adressen nicht kennen, widerrufen Sie zuerst den Schlüssel, der sie verschickt ' +
        'hat.',
    },
    secretsRead: {
      title: (publication) => `Webhook-Secrets von ${publication} wurden gelesen`,
      made: ({ by, other, at }) =>
        `Am ${at} hat ${by ?? 'jemand'} die Secrets der Webhooks gelesen, die von ${other} hierher umgezogen sind. ` +
        'Der Umzug zurück zu Ghost braucht diese Secrets.',
      unexpected:
        'Sie wissen nichts davon? Fragen Sie die genannte Person. Wenn niemand Webhooks zurück umgezogen hat, ' +
        'ersetzen Sie diese Secrets bei den Empfängern.',
    },
  },
  contact: {
    title: (publication) => `E-Mails zu Webhooks von ${publication}`,
    lead: (integration) =>
      `Diese Adresse wurde als Kontakt der Integration ${integration} eingetragen. ` +
      'Wenn Sie sie bestätigen, erhalten Sie eine E-Mail, sobald einer ihrer Webhooks dauerhaft gestört ist und ' +
      'wenn er wieder funktioniert.',
    action: 'Adresse bestätigen',
    unexpected:
      'Haben Sie das nicht erwartet, tun Sie nichts. Ohne Ihre Bestätigung wird keine solche E-Mail gesendet.',
    done: {
      title: 'Ihre Adresse ist bestätigt',
      paragraphs: [
        'Sie erhalten eine E-Mail, wenn ein Webhook der Integration dauerhaft gestört ist. ' +
          'Sie können diese Seite schließen.',
      ],
    },
  },
  summary: {
    failing: ({ count, since, end }) =>
      `Seit dem ${since} ist jeder Versuch fehlgeschlagen. Die Zustellungen werden automatisch wiederholt. ` +
      `Gelingt bis zum ${end} keine davon, ${count === 1 ? 'wird der Webhook' : 'werden die noch gestörten'} ` +
      'deaktiviert.',
    disabled: ({ count, since, keepDays }) =>
      `Seit dem ${since} ist jeder Versuch fehlgeschlagen, daher wird nichts mehr gesendet. ` +
      `Neue Zustellungen werden ${keepDays} Tage lang zurückgehalten. ` +
      `Sobald der Empfänger wieder funktioniert, aktivieren Sie ${count === 1 ? 'den Webhook' : 'die Webhooks'} ` +
      'und senden Sie die zurückgehaltenen Zustellungen.',
    declined: ({ keepDays, deletion }) =>
      'Der Empfänger möchte keine Zustellungen mehr (410 oder webhook-delivery: disable), daher wird nichts mehr ' +
      `gesendet. Die beantwortete Zustellung und alle neuen warten ${keepDays} Tage lang. ` +
      'War das ein Versehen, aktivieren Sie den Webhook und senden Sie die zurückgehaltenen Zustellungen. ' +
      `Ändert ihn niemand, wird er am ${deletion} gelöscht.`,
  },
  someDisabled: (count) => `Davon bereits deaktiviert: ${count}.`,
  worksAgain: (who, isOne) => `${who} ${isOne ? 'funktioniert' : 'funktionieren'} wieder`,
  atHost: (host) => `Die Webhooks auf ${host}`,
  recovered:
    'Zustellungen kommen wieder an; solche, die auf einen weiteren Versuch gewartet haben, folgen von selbst. ' +
    'Endgültig fehlgeschlagene und zurückgehaltene werden nur gesendet, wenn Sie sie erneut senden.',
  stillFailing: (what) => `Dort weiterhin gestört: ${what}.`,
  labels: {
    webhook: 'Webhook',
    webhooks: 'Webhooks',
    integration: 'Integration',
    receiver: 'Empfänger',
    answer: 'Antwort',
    lastError: 'Letzter Fehler',
    waiting: 'Es warten',
  },
  more: (count) => `und ${count} weitere`,
  waiting: (count, until) =>
    count === '1'
      ? `1 Zustellung, aufbewahrt bis zum ${until}`
      : `${count} Zustellungen, die älteste aufbewahrt bis zum ${until}`,
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
  why: {
    member: 'Sie erhalten diese E-Mail, weil Sie Inhaber oder Administrator sind.',
    contact: 'Sie erhalten diese E-Mail, weil diese Adresse der Kontakt der Integration ist.',
  },
  often: 'Solange das andauert, folgt höchstens eine E-Mail in sechs Stunden.',
  action: { failing: 'Ursache anzeigen', recovered: 'Webhooks anzeigen', contact: 'API-Dokumentation öffnen' },
};
