/** The texts about connected Ghost sites. */
import { refusals } from '../../../shared/integrations/relay/refusals.ts';
import type { RefusalReason } from '../../../shared/integrations/relay/resource.ts';
import { section } from './section.ts';

const ablehnungen: Readonly<Record<RefusalReason, string>> = {
  signature_missing: 'ohne Signatur: der Webhook in Ghost hat kein Secret',
  signature_wrong: 'mit falscher Signatur: sein Secret in Ghost ist nicht das der Integration',
  signature_expired: 'mit alter Signatur: die Uhr von Ghost oder ein Proxy geht mehr als fünf Minuten falsch',
  event: 'mit einem Inhalt, der nicht zum Ereignis der URL passt',
  rate: 'über dem Limit der Anfragen je Minute',
  delivery_of_masthead: 'die Zustellungen von Masthead selbst sind',
  other: 'aus einem anderen Grund, den das Protokoll hat',
};

export const relays = section(
  {
    title: 'Ghost sites',
    states: { arrive: 'Events arrive', silent: 'Unusually silent', none: 'No event in 28 days' },
    last: 'Last event',
    perDay: (count: string) => `${count} events a day`,
    refused: (count: string, isOne: boolean, reason: RefusalReason) =>
      `${count} ${isOne ? 'request' : 'requests'} refused in seven days, ${refusals[reason]}. The last:`,
    silent: (site: string) => `${site} has been silent for unusually long`,
    silentSince: 'No event since',
    silentHelp: 'Ghost tries once, so its events may be lost. This command says why:',
    added: 'Webhooks that were added at Ghost since',
    check: 'Only Ghost knows them. This command lists them:',
    move: 'This one moves them:',
    copyCheck: 'Copy the command that lists',
    copyMove: 'Copy the command that moves',
  },
  {
    title: 'Ghost-Sites',
    states: { arrive: 'Ereignisse kommen an', silent: 'Ungewöhnlich still', none: 'Kein Ereignis in 28 Tagen' },
    last: 'Letztes Ereignis',
    perDay: (count) => `${count} Ereignisse am Tag`,
    refused: (count, isOne, reason) =>
      `${count} ${isOne ? 'Anfrage' : 'Anfragen'} in sieben Tagen abgelehnt, ${ablehnungen[reason]}. Die letzte:`,
    silent: (site) => `${site} ist ungewöhnlich lange still`,
    silentSince: 'Kein Ereignis seit',
    silentHelp: 'Ghost versucht es einmal, Ereignisse gehen also vielleicht verloren. Dieser Befehl nennt den Grund:',
    added: 'Webhooks, die seither in Ghost angelegt wurden',
    check: 'Nur Ghost kennt sie. Dieser Befehl listet sie:',
    move: 'Dieser zieht sie um:',
    copyCheck: 'Befehl zum Auflisten kopieren',
    copyMove: 'Befehl zum Umziehen kopieren',
  },
);
