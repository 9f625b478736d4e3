/** The texts of the integrations view: integrations, their keys and their inbound secret. */
import { section } from './section.ts';

export const integrations = section(
  {
    create: 'New integration',
    createAction: 'Create the integration',
    empty: 'No integrations yet',
    emptyHelp: 'An integration gives a program its API keys and webhooks.',
    name: 'Name',
    nameHint: 'The program that uses it, such as “Bookshop”.',
    description: 'Description',
    contact: 'Contact address',
    contactHint: 'Is notified when a webhook keeps failing, once it has confirmed that by a link.',
    unconfirmed: 'not confirmed yet',
    canPublish: 'Its keys can publish events',
    publishes: 'Can publish',
    canReceiveStaffEvents: 'Its webhooks can receive events about staff, with names and addresses',
    receivesStaffEvents: 'Receives staff events',
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
    validUntil: 'Replaced; expires',
    ends: 'Ends',
    limitedTo: (scopes: string) => `Limited to: ${scopes}`,
    overlap: 'The old key',
    overlaps: {
      0: 'stops working at once',
      1: 'is valid for an hour',
      24: 'is valid for a day',
      168: 'is valid for a week',
    },
    roll: 'Roll the key',
    rollHelp:
      'You get a new key. If the old one has leaked, end it at once; otherwise give the program time to switch.',
    newKey: 'The new API key',
    copyKey: 'Copy the key',
    inbound: 'Events from a Ghost site',
    inboundHelp:
      'A Ghost site can publish its events through this integration. ' +
      'Create a secret, and enter it with this URL in a webhook in Ghost:',
    inboundCreate: 'Create a secret',
    inboundWarning: 'Any earlier secret stops working at once.',
    inboundTitle: 'The inbound secret',
    copySecret: 'Copy the secret',
    remove: (name: string) => `Delete ${name}?`,
    removeAction: 'Delete the integration',
    removeHelp: 'This cannot be undone. It also affects:',
    removeKeys: (count: number) =>
      count === 1 ? '1 API key: requests with it fail at once' : `${count} API keys: requests with them fail at once`,
    removeWebhooks: (count: number) => (count === 1 ? '1 webhook:' : `${count} webhooks:`),
    removeNoWebhooks: 'no webhook',
    removeMore: (count: number) => `and ${count} more`,
    removeWaiting: (count: number, isMore: boolean) => {
      if (count === 0) return 'no waiting delivery';
      if (count === 1) return '1 waiting delivery, which will not be sent';
      return `${isMore ? 'at least ' : ''}${count} waiting deliveries, which will not be sent`;
    },
    removeCounting: 'waiting deliveries (counting …)',
    removeInvites: 'open invitations that it sent, which are revoked',
    removed: 'The integration is deleted.',
  },
  {
    create: 'Neue Integration',
    createAction: 'Integration anlegen',
    empty: 'Noch keine Integrationen',
    emptyHelp: 'Eine Integration gibt einem Programm seine API-Schlüssel und Webhooks.',
    name: 'Name',
    nameHint: 'Das Programm, das sie verwendet, etwa „Buchladen“.',
    description: 'Beschreibung',
    contact: 'Kontaktadresse',
    contactHint: 'Erhält eine E-Mail, wenn ein Webhook dauerhaft gestört ist, sobald sie das per Link bestätigt hat.',
    unconfirmed: 'noch nicht bestätigt',
    canPublish: 'Die API-Schlüssel dürfen Ereignisse veröffentlichen',
    publishes: 'Darf veröffentlichen',
    canReceiveStaffEvents: 'Die Webhooks dürfen Ereignisse über das Team empfangen, mit Namen und Adressen',
    receivesStaffEvents: 'Empfängt Ereignisse über das Team',
    yes: 'Ja',
    no: 'Nein',
    id: 'Integrations-ID',
    created: 'Angelegt',
    saved: 'Die Integration ist gespeichert.',
    webhooks: (count) => (count === 1 ? '1 Webhook' : `${count} Webhooks`),
    noWebhooks: 'Noch keine Webhooks.',
    addWebhook: 'Webhook hinzufügen',
    keys: 'API-Schlüssel',
    keysHelp: 'Mit einem Schlüssel signiert ein Programm seine Anfragen.',
    lastUsed: 'Zuletzt verwendet',
    validUntil: 'Ersetzt; erlischt',
    ends: 'Endet',
    limitedTo: (scopes) => `Beschränkt auf: ${scopes}`,
    overlap: 'Der alte Schlüssel',
    overlaps: {
      0: 'gilt sofort nicht mehr',
      1: 'gilt noch eine Stunde',
      24: 'gilt noch einen Tag',
      168: 'gilt noch eine Woche',
    },
    roll: 'Schlüssel ersetzen',
    rollHelp:
      'Sie erhalten einen neuen Schlüssel. Ist der alte in falsche Hände geraten, sperren Sie ihn sofort; ' +
      'sonst lassen Sie dem Programm Zeit für den Wechsel.',
    newKey: 'Der neue API-Schlüssel',
    copyKey: 'Schlüssel kopieren',
    inbound: 'Ereignisse einer Ghost-Website',
    inboundHelp:
      'Eine Ghost-Website kann ihre Ereignisse über diese Integration veröffentlichen. ' +
      'Erstellen Sie ein Secret und tragen Sie es mit dieser URL in Ghost bei einem Webhook ein:',
    inboundCreate: 'Secret erstellen',
    inboundWarning: 'Ein früheres Secret wird sofort ungültig.',
    inboundTitle: 'Das Secret für Ghost',
    copySecret: 'Secret kopieren',
    remove: (name) => `${name} löschen?`,
    removeAction: 'Integration löschen',
    removeHelp: 'Das lässt sich nicht rückgängig machen. Betroffen sind:',
    removeKeys: (count) =>
      count === 1
        ? '1 API-Schlüssel: Anfragen damit werden sofort abgelehnt'
        : `${count} API-Schlüssel: Anfragen damit werden sofort abgelehnt`,
    removeWebhooks: (count) => (count === 1 ? '1 Webhook:' : `${count} Webhooks:`),
    removeNoWebhooks: 'kein Webhook',
    removeMore: (count) => (count === 1 ? 'und ein weiterer' : `und ${count} weitere`),
    removeWaiting: (count, isMore) => {
      if (count === 0) return 'keine wartende Zustellung';
      if (count === 1) return '1 wartende Zustellung, die nicht mehr gesendet wird';
      return `${isMore ? 'mindestens ' : ''}${count} wartende Zustellungen, die nicht mehr gesendet werden`;
    },
    removeCounting: 'wartende Zustellungen (werden gezählt …)',
    removeInvites: 'offene Einladungen der Integration, die zurückgezogen werden',
    removed: 'Die Integration ist gelöscht.',
  },
);
