/** The texts about a failing webhook: what to do, by cause, and its current state. */
import { type Advice, type Cause, advice as english, type Target } from '../../../shared/deliveries/cause.ts';
import { section } from './section.ts';

const deutsch: Advice = {
  credentials: ({ host }) =>
    `${host} lehnt die Anfrage ab. Prüfen Sie, ob der Empfänger das aktuelle Secret des Webhooks hat, und ob die Optionen des Webhooks die Header haben, die der Empfänger erwartet.`,
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
    `Der Empfänger auf ${host} meldet einen Fehler. Suchen Sie ihn in seinem Protokoll, zum Zeitpunkt des Versuchs.`,
  dns: ({ host }) => `Der Name ${host} wurde nicht gefunden. Prüfen Sie die Schreibweise und den DNS-Eintrag.`,
  connect: ({ host }) =>
    `Auf ${host} nimmt nichts Verbindungen an. Prüfen Sie, ob der Empfänger läuft, seinen Port und seine Firewall.`,
  tls: ({ host }) =>
    `Zu ${host} gibt es keine sichere Verbindung. Prüfen Sie, ob der Port https spricht, mit TLS 1.2 oder neuer.`,
  tls_expired: ({ host }) =>
    `Das Zertifikat von ${host} ist abgelaufen. Erneuern Sie es dort, starten Sie den Server neu, der es verwendet, und senden Sie einen Ping.`,
  tls_not_yet_valid: ({ host }) =>
    `Das Zertifikat von ${host} gilt noch nicht. Prüfen Sie den Tag, an dem es beginnt, und die Uhr des Servers.`,
  tls_wrong_host: ({ host }) =>
    `Das Zertifikat auf ${host} gilt für einen anderen Namen. Verwenden Sie eines für ${host}, oder tragen Sie den Namen im Zertifikat als Ziel ein.`,
  tls_self_signed: ({ host }) =>
    `Das Zertifikat von ${host} ist selbst signiert. Ersetzen Sie es durch eines einer öffentlichen Stelle, etwa Let’s Encrypt.`,
  tls_unknown_issuer: ({ host }) =>
    `Der Aussteller des Zertifikats von ${host} ist unbekannt. Verwenden Sie eine öffentliche Stelle, und lassen Sie den Server auch die Zwischenzertifikate senden.`,
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
    disabledBy: (name: string | null) => `${name ?? 'Somebody'} disabled it`,
    disabledByReceiver: 'Its receiver asked for no more deliveries. Ask its operator before you enable it.',
    disabledForFailing: 'It was disabled because its receiver kept failing.',
    isHeld: 'Its events are held: enable it when its receiver is ready, and replay what was held.',
    began: 'Began',
    waiting: (count: string, isOne: boolean) => (isOne ? 'One delivery waits' : `${count} deliveries wait`),
    noneWaits: 'No delivery waits',
    next: 'Next attempt',
    noNext: 'No attempt is planned',
    answer: 'It answered',
  },
  {
    for: (cause, target) => deutsch[cause](target),
    disabledBy: (name) => `Deaktiviert von ${name ?? 'jemandem'}`,
    disabledByReceiver:
      'Sein Empfänger möchte keine Zustellungen mehr. Fragen Sie dessen Betreiber, bevor Sie ihn aktivieren.',
    disabledForFailing: 'Er wurde deaktiviert, weil über Tage jede Zustellung fehlgeschlagen ist.',
    isHeld:
      'Seine Ereignisse werden zurückgehalten: Aktivieren Sie ihn, wenn sein Empfänger bereit ist, und senden Sie sie dann erneut.',
    began: 'Begann',
    waiting: (count, isOne) => (isOne ? 'Eine Zustellung wartet' : `${count} Zustellungen warten`),
    noneWaits: 'Keine Zustellung wartet',
    next: 'Nächster Versuch',
    noNext: 'Kein Versuch ist geplant',
    answer: 'Die Antwort war',
  },
);
