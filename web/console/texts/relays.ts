/** The texts about connected Ghost sites. */
import { refusals } from '../../../shared/integrations/relay/refusals.ts';
import type { RefusalReason } from '../../../shared/integrations/relay/resource.ts';
import { section } from './section.ts';

const ablehnungen: Readonly<Record<RefusalReason, string>> = {
  signature_missing: 'keine Signatur, denn der Webhook in Ghost hat kein Secret',
  signature_wrong: 'falsche Signatur, denn in Ghost steht ein anderes Secret als in der Integration',
  signature_expired: 'alte Signatur, denn die Uhr von Ghost oder einem Proxy geht mehr als fünf Minuten falsch',
  event: 'der Inhalt passt nicht zum Ereignis in der URL',
  body: 'der Inhalt ist kein JSON in UTF-8',
  size: 'der Inhalt ist zu groß, oder er hat zu viele Ebenen oder Werte',
  rate: 'zu viele Anfragen pro Minute',
  delivery_of_masthead: 'Masthead hat an sich selbst zugestellt',
  other: 'ein anderer Grund, der im Protokoll steht',
};

export const relays = section(
  {
    title: 'Ghost sites',
    states: { arrive: 'Events arrive', silent: 'Unusually silent', none: 'No event in 28 days' },
    last: 'Last event:',
    perDay: (count: string) => `${count} events a day`,
    refused: (count: string, isOne: boolean, reason: RefusalReason) =>
      `${count} ${isOne ? 'request' : 'requests'} refused in seven days, ${refusals[reason]}. The last one:`,
    silent: (site: string) => `${site} has been silent for unusually long`,
    silentSince: 'Last event:',
    silentHelp: 'Ghost sends each event only once, so events may be getting lost. This command finds out why:',
    added: 'Webhooks added in Ghost since then',
    asOf: 'As of',
    none: 'none',
    check: 'Only Ghost knows these. This command lists them:',
    move: 'This command moves them to Masthead:',
    copyCheck: 'Copy the list command',
    copyMove: 'Copy the move command',
  },
  {
    title: 'Ghost-Websites',
    states: { arrive: 'Ereignisse kommen an', silent: 'Ungewöhnlich still', none: 'Kein Ereignis in 28 Tagen' },
    last: 'Letztes Ereignis:',
    perDay: (count) => `${count} Ereignisse pro Tag`,
    refused: (count, isOne, reason) =>
      `${count} ${isOne ? 'Anfrage' : 'Anfragen'} in sieben Tagen abgelehnt: ${ablehnungen[reason]}. Zuletzt:`,
    silent: (site) => `${site} meldet sich ungewöhnlich lange nicht`,
    silentSince: 'Letztes Ereignis:',
    silentHelp:
      'Ghost sendet jedes Ereignis nur einmal, vielleicht gehen also welche verloren. Dieser Befehl nennt den Grund:',
    added: 'Webhooks, die danach in Ghost angelegt wurden',
    asOf: 'Stand',
    none: 'keine',
    check: 'Nur Ghost kennt sie. Dieser Befehl listet sie auf:',
    move: 'Dieser Befehl zieht sie zu Masthead um:',
    copyCheck: 'Befehl zum Auflisten kopieren',
    copyMove: 'Befehl zum Umziehen kopieren',
  },
);
