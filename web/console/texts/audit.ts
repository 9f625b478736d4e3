/** The texts of the audit log. */
import { section } from './section.ts';

export const audit = section(
  {
    help: 'Who changed what, newest first. Entries are kept for 90 days, unless your operator has set another time.',
    none: 'No entries yet',
    noneHelp: 'Changes appear here as soon as they are made.',
    action: 'Action',
    anyAction: 'All actions',
    operator: 'Operator',
    deleted: 'deleted integration',
    nothing: 'nothing',
    changed: (field: string, from: string, to: string) => `${field}: ${from} → ${to}`,
  },
  {
    help: 'Wer hat was geändert? Neueste Einträge zuerst. Sie bleiben 90 Tage erhalten, sofern der Betreiber nichts anderes eingestellt hat.',
    none: 'Noch keine Einträge',
    noneHelp: 'Hier erscheint jede Änderung sofort.',
    action: 'Aktion',
    anyAction: 'Alle Aktionen',
    operator: 'Betreiber',
    deleted: 'gelöschte Integration',
    nothing: 'nichts',
    changed: (field, from, to) => `${field}: ${from} → ${to}`,
  },
);
