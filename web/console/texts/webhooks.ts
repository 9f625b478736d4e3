/** The texts of the views of webhooks. */
import { section } from './section.ts';

export const webhooks = section(
  {
    create: 'Create a webhook',
    search: 'Search webhooks',
    empty: 'No webhooks yet',
    emptyHelp: 'A webhook sends an event to your URL as soon as it happens.',
    noIntegration: 'No integrations yet',
    noIntegrationHelp: 'Webhooks belong to an integration. Create an integration first.',
    noMatch: 'No webhook matches the search',
    none: 'This integration has no webhooks.',
    add: 'Add a webhook',
    states: { available: 'Available', disabled: 'Disabled', failing: 'Failing', unused: 'No event yet' },
    strip: (total: number, failed: number) => {
      if (total === 0) return 'No deliveries yet';
      if (total === 1) return failed === 0 ? 'One delivery' : 'One delivery, without success';
      return failed === 0 ? `Last ${total} deliveries` : `Last ${total} deliveries, ${failed} of them without success`;
    },
    state: 'State',
    lastDeliveries: 'Last 100 deliveries',
    lastDelivery: 'Last delivery',
    event: 'Event',
    target: 'Target URL',
    targetHint: 'Where events are sent: an https address on the public internet.',
    targetHintHere: 'Where events are sent. To try it on this machine, enter the target that npm start has printed.',
    name: 'Name',
    nameHint: 'Optional. Lists show it instead of the URL.',
    version: 'API version of the payload',
    integration: 'Integration',
    created: 'Created',
    id: 'Webhook id',
    pickEvent: 'Which event?',
    searchEvents: 'Search events',
    noEvent: (text: string) => `No known event contains “${text}”.`,
    ownEvent: (text: string) => `Use ${text} as a custom event`,
    example: 'Example payload',
    sign: 'Sign deliveries with a secret (recommended)',
    signHint: 'The console generates it and shows it once, after the webhook is created.',
    chooseEvent: 'Choose an event.',
    createAction: 'Create webhook',
    createdNow: 'The webhook is created. Send a ping to see its first delivery.',
    updated: 'The webhook is updated.',
    secretTitle: 'The secret, shown once',
    secretHelp: 'Copy it to your receiver now. It is not shown again; if you lose it, rotate it.',
    previousUntil: 'For now, deliveries are signed with the previous secret too. It expires',
    copySecret: 'Copy the secret',
    gotIt: 'I have copied it',
    ping: 'Send a ping',
    pinging: (host: string) => `Waiting for ${host} to answer …`,
    pingAnswered: (host: string, status: string, time: string) => `${host} answered with HTTP ${status} in ${time}.`,
    pingFailed: (reason: string) => `The ping failed: ${reason}.`,
    worksAgain: (name: string) => `${name} answered the ping: it works again.`,
    showDelivery: 'Show the delivery',
    rotate: 'Rotate the secret',
    rotateHelp:
      'A new secret is generated. The current one stays valid for a day, so that you have time to update your receiver.',
    disable: 'Disable',
    disableHelp: 'New deliveries are held until you enable the webhook and replay them.',
    disabled: 'The webhook is disabled.',
    enable: 'Enable',
    enabled: 'The webhook is enabled. A replay sends the held deliveries.',
    disabledTitle: 'This webhook is disabled',
    failingTitle: (reason: string) => `The last delivery failed: ${reason}`,
    replay: 'Replay',
    replayHeld: 'Replay held deliveries',
    replayHelp: 'Deliveries from this period are sent again, in order and as fast as the receiver answers.',
    replayStatus: 'Only deliveries with this status',
    anyEnded: 'All that have ended',
    replayPreview: (text: string, count: number) =>
      count === 0
        ? 'No delivery matches.'
        : count === 1
          ? '1 delivery is sent again.'
          : `${text} deliveries are sent again.`,
    startReplay: 'Start the replay',
    replayStates: { running: 'Replay under way', finished: 'Replay finished', cancelled: 'Replay cancelled' },
    replayed: (percent: number, checked: number, replayed: number) =>
      `${percent} %: ${checked} checked, ${replayed} sent again`,
    remove: 'Delete the webhook',
    removeHelp: (name: string) =>
      `${name} receives no further events, and its waiting deliveries are cancelled. This cannot be undone.`,
    removed: 'The webhook is deleted.',
    deliveries: 'Show its deliveries',
    verify: 'Verify deliveries in your receiver',
    verifyHelp: 'Call verify with the secret, the headers and the exact bytes of the body, before you parse it.',
    languageOfCode: 'Language',
    copyCode: 'Copy the code',
    unknown: 'No webhook has this id',
    unknownHelp: 'It may have been deleted.',
    all: 'All webhooks',
  },
  {
    create: 'Webhook anlegen',
    search: 'Webhooks suchen',
    empty: 'Noch keine Webhooks',
    emptyHelp: 'Ein Webhook sendet ein Ereignis an Ihre URL, sobald es eintritt.',
    noIntegration: 'Noch keine Integrationen',
    noIntegrationHelp: 'Webhooks gehören zu einer Integration. Legen Sie zuerst eine Integration an.',
    noMatch: 'Kein Webhook passt zur Suche',
    none: 'Diese Integration hat keine Webhooks.',
    add: 'Webhook hinzufügen',
    states: {
      available: 'Aktiv',
      disabled: 'Deaktiviert',
      failing: 'Gestört',
      unused: 'Noch kein Ereignis',
    },
    strip: (total, failed) => {
      if (total === 0) return 'Noch keine Zustellungen';
      if (total === 1) return failed === 0 ? 'Eine Zustellung' : 'Eine Zustellung, ohne Erfolg';
      return failed === 0
        ? `Letzte ${total} Zustellungen`
        : `Letzte ${total} Zustellungen, davon ${failed} ohne Erfolg`;
    },
    state: 'Status',
    lastDeliveries: 'Letzte 100 Zustellungen',
    lastDelivery: 'Letzte Zustellung',
    event: 'Ereignis',
    target: 'Ziel-URL',
    targetHint: 'Dorthin werden Ereignisse gesendet: eine öffentlich erreichbare https-Adresse.',
    targetHintHere:
      'Dorthin werden Ereignisse gesendet. Zum Ausprobieren passt das Ziel („Target“), das npm start ausgibt.',
    name: 'Name',
    nameHint: 'Optional. Steht in Listen anstelle der URL.',
    version: 'API-Version des Inhalts',
    integration: 'Integration',
    created: 'Angelegt',
    id: 'Webhook-ID',
    pickEvent: 'Welches Ereignis?',
    searchEvents: 'Ereignisse suchen',
    noEvent: (text) => `Kein bekanntes Ereignis enthält „${text}“.`,
    ownEvent: (text) => `${text} als eigenes Ereignis verwenden`,
    example: 'Beispiel für den Inhalt',
    sign: 'Zustellungen mit einem Secret signieren (empfohlen)',
    signHint: 'Die Konsole erstellt es und zeigt es einmal an, sobald der Webhook angelegt ist.',
    chooseEvent: 'Wählen Sie ein Ereignis.',
    createAction: 'Webhook anlegen',
    createdNow: 'Der Webhook ist angelegt. Senden Sie einen Ping, um die erste Zustellung zu sehen.',
    updated: 'Der Webhook ist gespeichert.',
    secretTitle: 'Das Secret (wird nur einmal angezeigt)',
    secretHelp:
      'Tragen Sie es jetzt bei Ihrem Empfänger ein. Es wird nicht noch einmal angezeigt. Geht es verloren, ersetzen Sie es.',
    previousUntil: 'Vorerst werden Zustellungen auch mit dem bisherigen Secret signiert. Es erlischt',
    copySecret: 'Secret kopieren',
    gotIt: 'Ich habe es kopiert',
    ping: 'Ping senden',
    pinging: (host) => `Warten auf die Antwort von ${host} …`,
    pingAnswered: (host, status, time) => `${host} hat in ${time} mit HTTP ${status} geantwortet.`,
    pingFailed: (reason) => `Der Ping ist fehlgeschlagen: ${reason}.`,
    worksAgain: (name) => `${name} hat auf den Ping geantwortet und funktioniert wieder.`,
    showDelivery: 'Zustellung anzeigen',
    rotate: 'Secret ersetzen',
    rotateHelp:
      'Sie erhalten ein neues Secret. Das bisherige bleibt noch einen Tag gültig, damit Sie Ihren Empfänger umstellen können.',
    disable: 'Deaktivieren',
    disableHelp:
      'Neue Zustellungen werden zurückgehalten, bis Sie den Webhook wieder aktivieren und sie erneut senden.',
    disabled: 'Der Webhook ist deaktiviert.',
    enable: 'Aktivieren',
    enabled: 'Der Webhook ist aktiviert. „Erneut senden“ stellt die zurückgehaltenen Zustellungen zu.',
    disabledTitle: 'Dieser Webhook ist deaktiviert',
    failingTitle: (reason) => `Die letzte Zustellung ist fehlgeschlagen: ${reason}`,
    replay: 'Erneut senden',
    replayHeld: 'Zurückgehaltene erneut senden',
    replayHelp:
      'Die Zustellungen aus diesem Zeitraum werden der Reihe nach erneut gesendet, so schnell der Empfänger antwortet.',
    replayStatus: 'Nur Zustellungen mit diesem Status',
    anyEnded: 'Alle abgeschlossenen',
    replayPreview: (text, count) =>
      count === 0
        ? 'Keine passende Zustellung.'
        : count === 1
          ? '1 Zustellung wird erneut gesendet.'
          : `${text} Zustellungen werden erneut gesendet.`,
    startReplay: 'Jetzt erneut senden',
    replayStates: {
      running: 'Wird erneut gesendet',
      finished: 'Erneutes Senden abgeschlossen',
      cancelled: 'Erneutes Senden abgebrochen',
    },
    replayed: (percent, checked, replayed) => `${percent} %: ${checked} geprüft, ${replayed} erneut gesendet`,
    remove: 'Webhook löschen',
    removeHelp: (name) =>
      `${name} erhält keine Ereignisse mehr, und wartende Zustellungen werden abgebrochen. Das lässt sich nicht rückgängig machen.`,
    removed: 'Der Webhook ist gelöscht.',
    deliveries: 'Zustellungen anzeigen',
    verify: 'Zustellungen im Empfänger prüfen',
    verifyHelp:
      'Rufen Sie verify mit dem Secret, den Headern und den unveränderten Bytes des Inhalts auf, bevor Sie ihn auswerten.',
    languageOfCode: 'Sprache',
    copyCode: 'Code kopieren',
    unknown: 'Diesen Webhook gibt es nicht',
    unknownHelp: 'Vielleicht wurde er gelöscht.',
    all: 'Alle Webhooks',
  },
);
