/** The texts of the integrations view: integrations, their keys and their inbound secret. */
import { section } from './section.ts';

export const integrations = section(
  {
    create: 'New integration',
    createAction: 'Create the integration',
    empty: 'No integrations yet',
    emptyHelp: 'An integration has API keys for a program, and owns its webhooks.',
    name: 'Name',
    nameHint: 'The program that uses it, such as “Bookshop”.',
    description: 'Description',
    contact: 'Contact address',
    contactHint: 'Is notified when a webhook keeps failing.',
    canPublish: 'Its keys can publish events',
    publishes: 'Can publish',
    yes: 'Yes',
    no: 'No',
    id: 'Integration id',
    created: 'Created',
    saved: 'The integration is saved.',
    webhooks: (count: number) => (count === 1 ? '1 webhook' : `${count} webhooks`),
    noWebhooks: 'No webhooks yet.',
    addWebhook: 'Add a webhook',
    keys: 'API keys',
    keysHelp: 'A program signs its requests with a key.',
    lastUsed: 'Last used',
    validUntil: 'Replaced; valid until',
    overlap: 'The old key',
    overlaps: { 0: 'ends at once', 1: 'is valid for an hour', 24: 'is valid for a day', 168: 'is valid for a week' },
    roll: 'Roll the key',
    rollHelp:
      'You get a new key. If the old one was leaked, let it end at once; otherwise give the program time to change.',
    newKey: 'The new API key',
    copyKey: 'Copy the key',
    inbound: 'Events from a Ghost site',
    inboundHelp:
      'A Ghost site can publish its events through this integration. Create a secret, and enter it with this URL in a webhook at Ghost:',
    inboundCreate: 'Create a secret',
    inboundWarning: 'A secret that was created before stops working at once.',
    inboundTitle: 'The inbound secret',
    copySecret: 'Copy the secret',
    remove: (name: string) => `Delete ${name}?`,
    removeAction: 'Delete the integration',
    removeHelp: 'This cannot be undone. What goes with it:',
    removeKeys: (count: number) =>
      count === 1 ? '1 API key: requests with it fail at once' : `${count} API keys: requests with them fail at once`,
    removeWebhooks: (count: number) => (count === 1 ? '1 webhook:' : `${count} webhooks:`),
    removeNoWebhooks: 'no webhook',
    removeMore: (count: number) => `and ${count} more`,
    removeWaiting: (count: number, isMore: boolean) => {
      if (count === 0) return 'no waiting delivery';
      if (count === 1) return '1 waiting delivery, which is not sent any more';
      return `${isMore ? 'at least ' : ''}${count} waiting deliveries, which are not sent any more`;
    },
    removeCounting: 'waiting deliveries (counting …)',
    removeInvites: 'open invitations that it sent are revoked',
    removed: 'The integration is deleted.',
  },
  {
    create: 'Neue Integration',
    createAction: 'Integration anlegen',
    empty: 'Noch keine Integrationen',
    emptyHelp: 'Eine Integration hat API-Schlüssel für ein Programm, und ihr gehören ihre Webhooks.',
    name: 'Name',
    nameHint: 'Das Programm, das sie verwendet, etwa „Buchladen“.',
    description: 'Beschreibung',
    contact: 'Kontaktadresse',
    contactHint: 'Wird benachrichtigt, wenn ein Webhook anhaltend scheitert.',
    canPublish: 'Ihre Schlüssel können Ereignisse veröffentlichen',
    publishes: 'Kann veröffentlichen',
    yes: 'Ja',
    no: 'Nein',
    id: 'Id der Integration',
    created: 'Angelegt',
    saved: 'Die Integration ist gespeichert.',
    webhooks: (count) => (count === 1 ? '1 Webhook' : `${count} Webhooks`),
    noWebhooks: 'Noch keine Webhooks.',
    addWebhook: 'Webhook hinzufügen',
    keys: 'API-Schlüssel',
    keysHelp: 'Mit einem Schlüssel signiert ein Programm seine Anfragen.',
    lastUsed: 'Zuletzt verwendet',
    validUntil: 'Ersetzt; gültig bis',
    overlap: 'Der alte Schlüssel',
    overlaps: { 0: 'endet sofort', 1: 'gilt noch eine Stunde', 24: 'gilt noch einen Tag', 168: 'gilt noch eine Woche' },
    roll: 'Schlüssel tauschen',
    rollHelp:
      'Sie erhalten einen neuen Schlüssel. Wurde der alte bekannt, lassen Sie ihn sofort enden; sonst lassen Sie dem Programm Zeit für den Wechsel.',
    newKey: 'Der neue API-Schlüssel',
    copyKey: 'Schlüssel kopieren',
    inbound: 'Ereignisse einer Ghost-Site',
    inboundHelp:
      'Eine Ghost-Site kann ihre Ereignisse über diese Integration veröffentlichen. Erzeugen Sie ein Secret, und tragen Sie es mit dieser URL in einen Webhook bei Ghost ein:',
    inboundCreate: 'Secret erzeugen',
    inboundWarning: 'Ein früher erzeugtes Secret funktioniert sofort nicht mehr.',
    inboundTitle: 'Das Secret für Eingehendes',
    copySecret: 'Secret kopieren',
    remove: (name) => `${name} löschen?`,
    removeAction: 'Integration löschen',
    removeHelp: 'Das lässt sich nicht rückgängig machen. Mit ihr verschwinden:',
    removeKeys: (count) =>
      count === 1
        ? '1 API-Schlüssel: Anfragen damit scheitern sofort'
        : `${count} API-Schlüssel: Anfragen damit scheitern sofort`,
    removeWebhooks: (count) => (count === 1 ? '1 Webhook:' : `${count} Webhooks:`),
    removeNoWebhooks: 'kein Webhook',
    removeMore: (count) => `und ${count} weitere`,
    removeWaiting: (count, isMore) => {
      if (count === 0) return 'keine wartende Zustellung';
      if (count === 1) return '1 wartende Zustellung, die nicht mehr gesendet wird';
      return `${isMore ? 'mindestens ' : ''}${count} wartende Zustellungen, die nicht mehr gesendet werden`;
    },
    removeCounting: 'wartende Zustellungen (werden gezählt …)',
    removeInvites: 'offene Einladungen von ihr werden widerrufen',
    removed: 'Die Integration ist gelöscht.',
  },
);
