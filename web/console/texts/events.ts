/** Describes events by the parts of their names; a stage's own events have no description. */
import { section } from './section.ts';

type Described = (name: string) => string | undefined;

/** Composes the description of `post.published` from its resource and what happened. */
const composed =
  (
    resources: Readonly<Record<string, string>>,
    actions: Readonly<Record<string, string>>,
    others: Readonly<Record<string, string>>,
  ): Described =>
  (name) => {
    const [resource = '', ...rest] = name.split('.');
    const subject = resources[resource];
    const action = actions[rest.join('.')];
    return others[name] ?? (subject === undefined || action === undefined ? undefined : `${subject} ${action}.`);
  };

const english = composed(
  { post: 'A post', page: 'A page', tag: 'A tag', member: 'A member' },
  {
    added: 'was added',
    deleted: 'was deleted',
    edited: 'was edited',
    published: 'was published',
    'published.edited': 'was edited after it had been published',
    unpublished: 'was unpublished',
    scheduled: 'was scheduled',
    unscheduled: 'is no longer scheduled',
    rescheduled: 'was scheduled for another time',
    'tag.attached': 'received a tag',
    'tag.detached': 'lost a tag',
  },
  {
    '*': 'Every event of the publication, also those that are added later. One post can cause several.',
    'post.*': 'Whatever happens to a post, drafts included.',
    'page.*': 'Whatever happens to a page, drafts included.',
    'tag.*': 'A tag was added, edited or deleted.',
    'member.*': 'A member was added, edited or deleted.',
    'site.changed': 'The content of the site changed: time to rebuild it or clear caches.',
    'staff.added': 'A staff member joined.',
    'staff.removed': 'A staff member was removed.',
    'staff.role.changed': 'The role of a staff member changed.',
    'webhook.failing': 'Another webhook of the integration is failing.',
    'webhook.disabled': 'Another webhook of the integration was disabled.',
    'webhook.recovered': 'Another webhook of the integration works again.',
    'relay.silent': 'The Ghost site of the integration has been silent for unusually long.',
    'delivery.failed': 'A delivery of another webhook of the integration failed for good.',
  },
);

const german = composed(
  { post: 'Ein Beitrag', page: 'Eine Seite', tag: 'Ein Schlagwort', member: 'Ein Mitglied' },
  {
    added: 'wurde angelegt',
    deleted: 'wurde gelöscht',
    edited: 'wurde bearbeitet',
    published: 'wurde veröffentlicht',
    'published.edited': 'wurde nach der Veröffentlichung bearbeitet',
    unpublished: 'ist nicht mehr veröffentlicht',
    scheduled: 'wurde eingeplant',
    unscheduled: 'ist nicht mehr eingeplant',
    rescheduled: 'wurde auf einen anderen Termin verschoben',
    'tag.attached': 'hat ein Schlagwort bekommen',
    'tag.detached': 'hat ein Schlagwort verloren',
  },
  {
    '*': 'Alle Ereignisse der Publikation, auch künftig hinzukommende. Ein Beitrag kann mehrere auslösen.',
    'post.*': 'Alles, was mit einem Beitrag geschieht, auch mit Entwürfen.',
    'page.*': 'Alles, was mit einer Seite geschieht, auch mit Entwürfen.',
    'tag.*': 'Ein Schlagwort wurde angelegt, bearbeitet oder gelöscht.',
    'member.*': 'Ein Mitglied wurde angelegt, bearbeitet oder gelöscht.',
    'site.changed': 'Inhalte der Website haben sich geändert: Zeit, sie neu zu bauen oder Caches zu leeren.',
    'staff.added': 'Jemand ist dem Team beigetreten.',
    'staff.removed': 'Ein Teammitglied wurde entfernt.',
    'staff.role.changed': 'Die Rolle eines Teammitglieds hat sich geändert.',
    'webhook.failing': 'Ein anderer Webhook der Integration ist gestört.',
    'webhook.disabled': 'Ein anderer Webhook der Integration wurde deaktiviert.',
    'webhook.recovered': 'Ein anderer Webhook der Integration funktioniert wieder.',
    'relay.silent': 'Die Ghost-Website der Integration meldet sich ungewöhnlich lange nicht.',
    'delivery.failed': 'Eine Zustellung eines anderen Webhooks der Integration ist endgültig fehlgeschlagen.',
  },
);

export const events = section<{ readonly describe: Described }>({ describe: english }, { describe: german });
