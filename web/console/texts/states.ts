/** The states that every view has: loading, empty, offline, failed; and times. */
import { section } from './section.ts';

export const states = section(
  {
    loading: 'Loading …',
    offline: 'No connection',
    offlineHelp: 'The server does not answer. The view updates as soon as it does.',
    stale: 'This may be out of date.',
    failed: 'The request failed',
    forbidden: 'Your role cannot see this',
    retry: 'Try again',
    errorId: 'Error id',
    never: 'never',
    unexpected: 'Unexpected error',
    unexpectedHelp: 'Reload the page. If it happens again, report the message above.',
    done: 'Done',
    copied: 'Copied',
    notCopied: 'The browser does not allow copying. Select the text instead.',
  },
  {
    loading: 'Wird geladen …',
    offline: 'Keine Verbindung',
    offlineHelp: 'Der Server antwortet nicht. Die Ansicht aktualisiert sich, sobald er es wieder tut.',
    stale: 'Das ist vielleicht nicht mehr aktuell.',
    failed: 'Die Anfrage ist gescheitert',
    forbidden: 'Ihre Rolle kann das nicht sehen',
    retry: 'Noch einmal versuchen',
    errorId: 'Fehlernummer',
    never: 'nie',
    unexpected: 'Unerwarteter Fehler',
    unexpectedHelp: 'Laden Sie die Seite neu. Wenn es wieder geschieht, melden Sie die Meldung oben.',
    done: 'Erledigt',
    copied: 'Kopiert',
    notCopied: 'Der Browser erlaubt das Kopieren nicht. Markieren Sie den Text stattdessen.',
  },
);
