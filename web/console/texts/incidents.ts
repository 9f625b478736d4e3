/** The texts of incidents, of the states in the list of webhooks, and of what is done to many webhooks at once. */
import { english, german } from '../../../shared/incidents/wording.ts';
import { section } from './section.ts';

export const incidents = section(
  {
    headline: english.headline,
    over: 'This incident is over: no webhook of this host fails for this reason.',
    recover: 'Recover …',
    states: { all: 'All', failing: 'Failing', disabled: 'Disabled', unused: 'No event yet' },
    statesLabel: 'State',
    someDisabled: (count: number, name: string) =>
      count === 1 ? `${name} is disabled` : `${count} webhooks are disabled`,
    disabledHelp: 'Somebody disabled them, or their receivers did not fail. What they get is held.',
    show: 'Show them',
    select: (name: string) => `Select ${name}`,
    selectAll: (count: number) => (count === 1 ? 'Select it' : `Select all ${count}`),
    selected: (count: number) => `${count} selected`,
    clear: 'Clear the selection',
    actions: { ping: 'Ping', enable: 'Enable', disable: 'Disable', delete: 'Delete' },
    ask: {
      ping: (count: number) => (count === 1 ? 'One webhook gets a ping.' : `${count} webhooks get a ping each.`),
      enable: (count: number) =>
        `${count === 1 ? 'One webhook is' : `${count} webhooks are`} enabled. ` +
        'What was held is sent when you recover it.',
      disable: (count: number) =>
        `${count === 1 ? 'One webhook is' : `${count} webhooks are`} disabled: ` +
        'new deliveries are held until you enable and recover them.',
      delete: (count: number) =>
        `${count === 1 ? 'One webhook is' : `${count} webhooks are`} deleted: ` +
        'no further events, and waiting deliveries are cancelled. This cannot be undone.',
    },
    unchanged: (count: number) => `Of the selected webhooks, ${count} need no change.`,
    more: (count: number) => `and ${count} more`,
    progress: (ended: number, count: number) => `${ended} of ${count}`,
    done: (count: number) => `Done: ${count}.`,
    failed: (count: number, names: string) => `Failed: ${count} (${names}).`,
  },
  {
    headline: german.headline,
    over: 'Diese Störung ist vorbei: Kein Webhook dieses Hosts schlägt aus diesem Grund fehl.',
    recover: 'Nachholen …',
    states: { all: 'Alle', failing: 'Gestört', disabled: 'Deaktiviert', unused: 'Noch kein Ereignis' },
    statesLabel: 'Status',
    someDisabled: (count, name) => (count === 1 ? `${name} ist deaktiviert` : `${count} Webhooks sind deaktiviert`),
    disabledHelp:
      'Jemand hat sie deaktiviert, oder ihre Empfänger waren nicht gestört. Ihre Zustellungen werden zurückgehalten.',
    show: 'Anzeigen',
    select: (name) => `${name} auswählen`,
    selectAll: (count) => (count === 1 ? 'Auswählen' : `Alle ${count} auswählen`),
    selected: (count) => `${count} ausgewählt`,
    clear: 'Auswahl aufheben',
    actions: { ping: 'Ping senden', enable: 'Aktivieren', disable: 'Deaktivieren', delete: 'Löschen' },
    ask: {
      ping: (count) => (count === 1 ? 'Ein Webhook erhält einen Ping.' : `${count} Webhooks erhalten je einen Ping.`),
      enable: (count) =>
        `${count === 1 ? 'Ein Webhook wird' : `${count} Webhooks werden`} aktiviert. ` +
        'Zurückgehaltenes wird gesendet, wenn Sie es nachholen.',
      disable: (count) =>
        `${count === 1 ? 'Ein Webhook wird' : `${count} Webhooks werden`} deaktiviert: ` +
        'Neue Zustellungen werden zurückgehalten, bis Sie aktivieren und nachholen.',
      delete: (count) =>
        `${count === 1 ? 'Ein Webhook wird' : `${count} Webhooks werden`} gelöscht: Sie erhalten keine Ereignisse ` +
        'mehr, und wartende Zustellungen werden abgebrochen. Das lässt sich nicht rückgängig machen.',
    },
    unchanged: (count) => `Von den ausgewählten Webhooks bleiben ${count} unverändert.`,
    more: (count) => `und ${count} weitere`,
    progress: (ended, count) => `${ended} von ${count}`,
    done: (count) => `Erledigt: ${count}.`,
    failed: (count, names) => `Fehlgeschlagen: ${count} (${names}).`,
  },
);
