/** The texts of recoveries over webhooks. */
import { section } from './section.ts';

export const recovery = section(
  {
    title: 'Recover deliveries',
    help: (count: number) =>
      `What did not reach ${count === 1 ? 'the receiver' : `the receivers of these ${count} webhooks`} is sent ` +
      'again, in order and as fast as each receiver answers.',
    what: 'What to send again',
    undelivered: 'All that was not delivered',
    enable: (count: number) =>
      count === 1 ? 'Enable the webhook that is disabled' : `Enable the ${count} webhooks that are disabled`,
    preview: (text: string, count: number) =>
      count === 0
        ? 'Nothing is to be sent again.'
        : count === 1
          ? '1 delivery is sent again.'
          : `${text} deliveries are sent again.`,
    start: 'Recover',
    skipped: (count: number) =>
      `Left out, because they are being replayed already: ${count}. Recover again when that has finished.`,
  },
  {
    title: 'Zustellungen nachholen',
    help: (count) =>
      `Was ${count === 1 ? 'der Empfänger' : `die Empfänger dieser ${count} Webhooks`} nicht erhalten ` +
      `${count === 1 ? 'hat' : 'haben'}, wird der Reihe nach erneut gesendet, so schnell jeder Empfänger ` +
      'antwortet.',
    what: 'Was erneut gesendet wird',
    undelivered: 'Alles, was nicht zugestellt wurde',
    enable: (count) =>
      count === 1 ? 'Den deaktivierten Webhook aktivieren' : `Die ${count} deaktivierten Webhooks aktivieren`,
    preview: (text, count) =>
      count === 0
        ? 'Es ist nichts erneut zu senden.'
        : count === 1
          ? '1 Zustellung wird erneut gesendet.'
          : `${text} Zustellungen werden erneut gesendet.`,
    start: 'Nachholen',
    skipped: (count) =>
      `Ausgelassen, weil sie gerade erneut gesendet werden: ${count}. Holen Sie sie nach, wenn das abgeschlossen ist.`,
  },
);
