/** The texts about a failing webhook: what to do, by cause, and its current state. */
import { type Cause, advice as english, type Target } from '../../../shared/webhooks/cause.ts';
import { advice as deutsch } from '../../../shared/webhooks/cause-de.ts';
import { section } from './section.ts';

export const advice = section(
  {
    for: (cause: Cause, target: Target) => english[cause](target),
    disabledBy: (name: string | null) => `${name ?? 'Somebody'} disabled it`,
    receiverSaid: 'The receiver answered',
    disabledByReceiver: 'The receiver asked for no more deliveries. Ask its operator before you enable the webhook.',
    deletedOn: 'If nobody changes it, it is deleted',
    disabledForFailing: 'It was disabled because its receiver kept failing.',
    isHeld: 'New deliveries are held. Enable the webhook when the receiver is ready, then replay them.',
    began: 'Began',
    waiting: (count: string, isOne: boolean) => (isOne ? 'One delivery is waiting' : `${count} deliveries are waiting`),
    noneWaits: 'No delivery is waiting',
    next: 'Next attempt',
    noNext: 'Tried again until the receiver answers',
    answer: 'Response',
  },
  {
    for: (cause, target) => deutsch[cause](target),
    disabledBy: (name) => `Von ${name ?? 'jemandem'} deaktiviert`,
    receiverSaid: 'Der Empfänger antwortete',
    disabledByReceiver:
      'Der Empfänger möchte keine Zustellungen mehr. Fragen Sie seinen Betreiber, bevor Sie den Webhook wieder ' +
      'aktivieren.',
    deletedOn: 'Ändert ihn niemand, wird er gelöscht:',
    disabledForFailing: 'Der Webhook wurde deaktiviert, weil tagelang jede Zustellung fehlgeschlagen ist.',
    isHeld:
      'Neue Zustellungen werden zurückgehalten. Aktivieren Sie den Webhook, sobald der Empfänger bereit ist, und ' +
      'senden Sie sie dann erneut.',
    began: 'Beginn:',
    waiting: (count, isOne) => (isOne ? 'Eine Zustellung wartet' : `${count} Zustellungen warten`),
    noneWaits: 'Keine Zustellung wartet',
    next: 'Nächster Versuch:',
    noNext: 'Wird versucht, bis der Empfänger antwortet',
    answer: 'Antwort',
  },
);
