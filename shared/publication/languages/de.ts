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
      `Dieser Link gilt nur für ${address} und nur einmal. Er läuft ${minutes} Minuten nach dem Versand dieser ` +
      'E-Mail ab.',
    unexpected:
      'Sie wollten sich nicht anmelden? Dann können Sie diese E-Mail ignorieren. ' +
      'Leiten Sie sie nicht weiter: Mit dem Link kann sich jeder ohne Passwort anmelden.',
    change: {
      action: 'Diese Adresse verwenden',
      title: (publication) => `Ihre neue Adresse bei ${publication}`,
      validity: ({ address, hours }) =>
        `Möchten Sie sich künftig mit ${address} anmelden? Dieser Link gilt nur einmal. ` +
        `Er läuft ${hours} Stunden nach dem Versand dieser E-Mail ab.`,
      unexpected:
        'Sie wissen nichts davon? Dann können Sie diese E-Mail ignorieren: Ohne Ihre Bestätigung ändert sich nichts.',
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
        `${inviter === null ? 'Sie sind eingeladen' : `${inviter.name} lädt Sie ein`}, ` +
        `in der Rolle „${role}“ bei ${publication} mitzuarbeiten`,
      unexpected: ({ inviter }) =>
        `Sie haben diese Einladung nicht erwartet? Dann können Sie diese E-Mail ignorieren. ` +
        `Solange Sie nicht annehmen, wird kein Konto angelegt.${
          inviter === null
            ? ''
            : ` Fragen dazu beantwortet ${inviter.name}: Antworten Sie auf diese E-Mail oder schreiben Sie an ` +
              `${inviter.email}.`
        }`,
    },
  },
};
