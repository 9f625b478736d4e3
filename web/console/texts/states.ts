/** The states that every view has: loading, empty, offline, failed; and times. */
import { section } from './section.ts';

export const states = section(
  {
    loading: 'Loading …',
    offline: 'No connection',
    offlineHelp: 'The server does not answer. The view updates as soon as it does.',
    failed: 'The request failed',
    forbidden: 'Your role does not allow this',
    retry: 'Try again',
    errorId: 'Error id',
    never: 'never',
    timeForm: 'YYYY-MM-DD HH:MM',
    noTime: 'Write it as 2026-01-31 09:30.',
    unexpected: 'Unexpected error',
    unexpectedHelp: 'Reload the page. If it happens again, report the message above.',
    done: 'Done',
    copied: 'Copied',
    notCopied: 'The browser does not allow copying. Select the text instead.',
  },
  {
    loading: 'Wird geladen …',
    offline: 'Keine Verbindung',
    offlineHelp: 'Der Server antwortet nicht. Die Ansicht aktualisiert sich, sobald er wieder erreichbar ist.',
    failed: 'Die Anfrage ist fehlgeschlagen',
    forbidden: 'Ihre Rolle erlaubt das nicht',
    retry: 'Erneut versuchen',
    errorId: 'Fehler-ID',
    never: 'nie',
    timeForm: 'JJJJ-MM-TT HH:MM',
    noTime: 'Bitte im Format 2026-01-31 09:30.',
    unexpected: 'Unerwarteter Fehler',
    unexpectedHelp: 'Laden Sie die Seite neu. Tritt der Fehler wieder auf, geben Sie bitte die Meldung oben weiter.',
    done: 'Erledigt',
    copied: 'Kopiert',
    notCopied: 'Der Browser erlaubt das Kopieren nicht. Markieren und kopieren Sie den Text selbst.',
  },
);
