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
    'site.changed': 'The content of the site changed: rebuild or clear caches.',
    'staff.added': 'A staff member joined.',
    'staff.removed': 'A staff member was removed.',
    'staff.role.changed': 'A staff member has another role.',
    'webhook.failing': 'Deliveries of another webhook of the integration fail.',
    'webhook.disabled': 'Another webhook of the integration was disabled.',
    'webhook.recovered': 'Another webhook of the integration works again.',
    'relay.silent': 'The Ghost site of the integration is unusually silent.',
    'delivery.failed': 'A delivery of another webhook of the integration has no attempt left.',
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
    scheduled: 'wurde geplant',
    unscheduled: 'ist nicht mehr geplant',
    rescheduled: 'wurde für eine andere Zeit geplant',
    'tag.attached': 'hat ein Schlagwort bekommen',
    'tag.detached': 'hat ein Schlagwort verloren',
  },
  {
    'site.changed': 'Der Inhalt der Website hat sich geändert: neu bauen oder Caches leeren.',
    'staff.added': 'Jemand ist dem Team beigetreten.',
    'staff.removed': 'Ein Teammitglied wurde entfernt.',
    'staff.role.changed': 'Ein Teammitglied hat eine andere Rolle.',
    'webhook.failing': 'Zustellungen eines anderen Webhooks der Integration schlagen fehl.',
    'webhook.disabled': 'Ein anderer Webhook der Integration wurde deaktiviert.',
    'webhook.recovered': 'Ein anderer Webhook der Integration funktioniert wieder.',
    'relay.silent': 'Die Ghost-Website der Integration ist ungewöhnlich still.',
    'delivery.failed': 'Eine Zustellung eines anderen Webhooks der Integration hat keinen Versuch mehr übrig.',
  },
);

export const events = section<{ readonly describe: Described }>({ describe: english }, { describe: german });
