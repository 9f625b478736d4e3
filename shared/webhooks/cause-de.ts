/** The advice of `cause.ts` in German, for the console and the mails. */
import type { Advice } from './cause.ts';

export const advice: Advice = {
  credentials: ({ host }) =>
    `${host} lehnt die Anfrage ab. Prüfen Sie, ob der Empfänger das aktuelle Secret des Webhooks kennt und ob beim ` +
    'Webhook die Header eingetragen sind, die der Empfänger erwartet.',
  address: ({ host, path }) =>
    `Auf ${host} gibt es ${path} nicht. Prüfen Sie die Ziel-URL und ob der Empfänger dort läuft.`,
  gone: ({ host }) =>
    `${host} möchte keine Zustellungen mehr. Fragen Sie den Betreiber, bevor Sie den Webhook aktivieren, oder ` +
    'löschen Sie ihn.',
  pause: ({ host }) =>
    `${host} hat um eine Pause gebeten. Masthead wartet und macht dann weiter. ` +
    'Erhöhen Sie das Anfragelimit des Empfängers.',
  redirect: ({ host }) =>
    `${host} leitet die Anfrage weiter. Masthead folgt Weiterleitungen nicht: Tragen Sie die endgültige URL als ` +
    'Ziel-URL ein.',
  refused: ({ host }) =>
    `${host} nimmt die Anfrage nicht an. Der Grund steht in der Antwort; ` +
    'vielleicht passt das Ereignis oder seine API-Version nicht.',
  server: ({ host }) =>
    `Der Empfänger auf ${host} meldet einen Fehler. Sehen Sie in seinem Protokoll nach, was zum Zeitpunkt des ` +
    'Versuchs passiert ist.',
  dns: ({ host }) => `${host} gibt es im DNS nicht. Prüfen Sie die Schreibweise und den DNS-Eintrag.`,
  connect: ({ host }) =>
    `${host} nimmt keine Verbindungen an. Prüfen Sie, ob der Empfänger läuft und ob Port und Firewall stimmen.`,
  tls: ({ host }) =>
    `Zu ${host} kommt keine sichere Verbindung zustande. Prüfen Sie, ob der Server an diesem Port HTTPS mit TLS 1.2 ` +
    'oder neuer unterstützt.',
  tls_expired: ({ host }) =>
    `Das Zertifikat von ${host} ist abgelaufen. Erneuern Sie es, starten Sie den Server neu und senden Sie dann ` +
    'einen Ping.',
  tls_not_yet_valid: ({ host }) =>
    `Das Zertifikat von ${host} gilt noch nicht. Prüfen Sie, ab wann es gilt und ob die Uhr des Servers richtig geht.`,
  tls_wrong_host: ({ host }) =>
    `Das Zertifikat auf ${host} gilt für einen anderen Namen. Verwenden Sie ein Zertifikat für ${host} oder tragen ` +
    'Sie in der Ziel-URL den Namen ein, für den es gilt.',
  tls_self_signed: ({ host }) =>
    `Das Zertifikat von ${host} ist selbst signiert. Ersetzen Sie es durch ein Zertifikat einer öffentlichen ` +
    'Zertifizierungsstelle, etwa Let’s Encrypt.',
  tls_unknown_issuer: ({ host }) =>
    `Der Aussteller des Zertifikats von ${host} ist unbekannt. Verwenden Sie ein Zertifikat einer öffentlichen ` +
    'Zertifizierungsstelle und lassen Sie den Server auch die Zwischenzertifikate senden.',
  tls_client_certificate: ({ host }) =>
    `${host} verlangt ein Client-Zertifikat, das Masthead nicht hat. Lassen Sie Anfragen ohne Zertifikat zu, und ` +
    'prüfen Sie stattdessen deren Signatur.',
  timeout: ({ host }) =>
    `${host} antwortet nicht innerhalb von zehn Sekunden. Antworten Sie zuerst mit 200 und erledigen Sie die Arbeit ` +
    'danach, zum Beispiel über eine Warteschlange.',
  reset: ({ host }) =>
    `${host} hat die Verbindung vor der Antwort geschlossen. Prüfen Sie, ob der Empfänger abstürzt oder ein Proxy ` +
    'die Verbindung trennt.',
  protocol: ({ host }) =>
    `${host} antwortet nicht mit HTTP. Prüfen Sie den Port der Ziel-URL und ob sie mit https oder mit http beginnen ` +
    'muss.',
  forbidden: ({ host }) =>
    `${host} führt zu einer nicht erlaubten Adresse, etwa in einem privaten Netz. ` +
    'Verwenden Sie eine öffentliche Adresse.',
  other: ({ host }) => `Prüfen Sie den Empfänger auf ${host}.`,
};
