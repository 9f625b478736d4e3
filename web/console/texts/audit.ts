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
    help: 'Wer was geändert hat, das Neueste zuerst. Einträge bleiben 90 Tage, falls der Betrieb nichts anderes eingestellt hat.',
    none: 'Noch keine Einträge',
    noneHelp: 'Änderungen erscheinen hier, sobald sie gemacht sind.',
    action: 'Vorgang',
    anyAction: 'Alle Vorgänge',
    operator: 'Betrieb',
    deleted: 'gelöschte Integration',
    nothing: 'nichts',
    changed: (field, from, to) => `${field}: ${from} → ${to}`,
  },
);
