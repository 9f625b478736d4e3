/** What to do about a webhook that fails, by cause, and how it stands. */
import type { Cause } from '../api/cause.ts';
import { section } from './section.ts';

/** Of the target URL. */
interface Target {
  readonly host: string;
  readonly path: string;
}

type Advice = Readonly<Record<Cause, (target: Target) => string>>;

const english: Advice = {
  credentials: ({ host }) =>
    `${host} refuses the request. Check that the receiver has the webhook’s current secret, and expects no header or login that Masthead does not send.`,
  address: ({ host, path }) =>
    `${host} has nothing at ${path}. Check the target URL, and that the receiver is deployed there.`,
  gone: ({ host }) => `${host} asked for no more deliveries. Ask its operator, or delete the webhook.`,
  pause: ({ host }) => `${host} asked for a pause. Masthead waits and continues; raise the limit of the receiver.`,
  redirect: ({ host }) => `${host} redirects. Masthead does not follow redirects: enter the final URL as the target.`,
  refused: ({ host }) =>
    `${host} does not accept the request. Its answer tells why; the event or its version may be wrong.`,
  server: ({ host }) => `The receiver at ${host} fails. Look for the error in its log, at the time of the attempt.`,
  dns: ({ host }) => `The name ${host} was not found. Check the spelling, and the DNS record of the name.`,
  connect: ({ host }) =>
    `Nothing accepts connections at ${host}. Check that the receiver runs, its port, and its firewall.`,
  tls: ({ host }) =>
    `There is no secure connection to ${host}. Check that its certificate has not expired, is issued for ${host}, and is sent with its intermediate certificates.`,
  timeout: ({ host }) =>
    `${host} does not answer within ten seconds. Answer first with 200, then do the work, for example through a queue.`,
  reset: ({ host }) => `${host} closed the connection before it answered. Check for a crash or a proxy in between.`,
  protocol: ({ host }) => `${host} does not answer with HTTP. Check the port of the target URL, and https or http.`,
  forbidden: ({ host }) =>
    `${host} leads to an address that is not allowed, such as a private network. Use a public address.`,
  other: ({ host }) => `Check the receiver at ${host}.`,
};

const deutsch: Advice = {
  credentials: ({ host }) =>
    `${host} lehnt die Anfrage ab. Prüfen Sie, ob der Empfänger das aktuelle Secret des Webhooks hat und keinen Header und keine Anmeldung erwartet, die Masthead nicht sendet.`,
  address: ({ host, path }) =>
    `${host} hat nichts unter ${path}. Prüfen Sie die Ziel-URL, und ob der Empfänger dort läuft.`,
  gone: ({ host }) => `${host} möchte keine Zustellungen mehr. Fragen Sie den Betreiber, oder löschen Sie den Webhook.`,
  pause: ({ host }) =>
    `${host} hat um eine Pause gebeten. Masthead wartet und fährt fort; erhöhen Sie das Limit des Empfängers.`,
  redirect: ({ host }) =>
    `${host} leitet weiter. Masthead folgt Weiterleitungen nicht: Tragen Sie die endgültige URL als Ziel ein.`,
  refused: ({ host }) =>
    `${host} nimmt die Anfrage nicht an. Die Antwort nennt den Grund; vielleicht passt das Ereignis oder seine Version nicht.`,
  server: ({ host }) =>
    `Der Empfänger auf ${host} scheitert. Suchen Sie den Fehler in seinem Protokoll, zur Zeit des Versuchs.`,
  dns: ({ host }) => `Der Name ${host} wurde nicht gefunden. Prüfen Sie die Schreibweise und den DNS-Eintrag.`,
  connect: ({ host }) =>
    `Auf ${host} nimmt nichts Verbindungen an. Prüfen Sie, ob der Empfänger läuft, seinen Port und seine Firewall.`,
  tls: ({ host }) =>
    `Zu ${host} gibt es keine sichere Verbindung. Prüfen Sie, ob das Zertifikat gültig ist, für ${host} ausgestellt ist und mit seinen Zwischenzertifikaten gesendet wird.`,
  timeout: ({ host }) =>
    `${host} antwortet nicht in zehn Sekunden. Antworten Sie zuerst mit 200, und erledigen Sie die Arbeit danach, zum Beispiel über eine Warteschlange.`,
  reset: ({ host }) =>
    `${host} hat die Verbindung vor der Antwort geschlossen. Suchen Sie einen Absturz oder einen Proxy dazwischen.`,
  protocol: ({ host }) => `${host} antwortet nicht mit HTTP. Prüfen Sie den Port der Ziel-URL, und https oder http.`,
  forbidden: ({ host }) =>
    `${host} führt zu einer Adresse, die nicht erlaubt ist, etwa in ein privates Netz. Verwenden Sie eine öffentliche Adresse.`,
  other: ({ host }) => `Prüfen Sie den Empfänger auf ${host}.`,
};

export const advice = section(
  {
    for: (cause: Cause, target: Target) => english[cause](target),
    disabledByHand: 'Somebody disabled it. Its events are held until it is enabled.',
    disabledForFailing: 'It was disabled because its receiver kept failing. Its events are held until it is enabled.',
    began: 'Began',
    waiting: (count: string, isOne: boolean) => (isOne ? 'One delivery waits' : `${count} deliveries wait`),
    noneWaits: 'No delivery waits',
    next: 'Next attempt',
    answer: 'It answered',
  },
  {
    for: (cause, target) => deutsch[cause](target),
    disabledByHand: 'Jemand hat ihn deaktiviert. Seine Ereignisse werden zurückgehalten, bis er aktiviert wird.',
    disabledForFailing:
      'Er wurde deaktiviert, weil sein Empfänger anhaltend scheiterte. Seine Ereignisse werden zurückgehalten, bis er aktiviert wird.',
    began: 'Begann',
    waiting: (count, isOne) => (isOne ? 'Eine Zustellung wartet' : `${count} Zustellungen warten`),
    noneWaits: 'Keine Zustellung wartet',
    next: 'Nächster Versuch',
    answer: 'Die Antwort war',
  },
);
