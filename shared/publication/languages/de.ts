/** Mails in German, and what pages share with them. */
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
    invitesStopped: {
      action: 'Zurückgekommene anzeigen',
      title: (publication) => `Einladungen zu ${publication} sind angehalten`,
      made: ({ other, at }) =>
        `Viele der letzten Mails von ${other} kamen zurück oder wurden als Spam gemeldet. Seit dem ${at} kann ${other} niemanden einladen, und Einladungen, deren Mail noch aussteht, warten.`,
      unexpected:
        'Wenn die Adressen stimmen, widerrufen Sie in der Konsole die Einladungen, die zurückkamen: Die anderen gehen weiter. Wenn Sie die Adressen nicht kennen, widerrufen Sie zuerst den Schlüssel, der sie verschickt hat.',
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
  },
};
