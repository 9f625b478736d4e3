/** What the attempts of a batch teach about one receiver and its webhooks: gathered, and passed on when the last of them has ended. */
import type { WebhookId } from '../foundation/ids.ts';
import type { Finding } from '../webhooks/health.ts';
import type { WebhookFinding } from '../webhooks/health-store.ts';
import type { Webhook } from '../webhooks/webhook.ts';
import type { Observation, Receiver } from './receivers/receiver.ts';

export interface LessonPorts {
  readonly learn: (receiver: Receiver, observations: readonly Observation[]) => Promise<void>;
  readonly noteHealth: (findings: readonly WebhookFinding[]) => Promise<void>;
  /** Is told of a lesson that could not be written: the next batch learns it again, so nothing is posted twice for it. */
  readonly onUnlearned: (error: unknown) => void;
}

export interface Lessons {
  /** Says that one more of the batch's messages is for this receiver. */
  readonly expect: () => void;
  readonly observe: (observation: Observation) => void;
  readonly find: (webhook: Webhook, finding: Finding) => void;
  /** Says that one of them has ended; the last one passes on what was learned. Never rejects. */
  readonly end: () => Promise<void> | undefined;
}

/** Gathers for one receiver. */
export const lessonsOf = (receiver: Receiver, { learn, noteHealth, onUnlearned }: LessonPorts): Lessons => {
  const observations: Observation[] = [];
  const findings = new Map<WebhookId, WebhookFinding>();
  let expected = 0;
  const passOn = async (): Promise<void> => {
    const written = await Promise.allSettled([
      observations.length > 0 ? learn(receiver, observations) : undefined,
      findings.size > 0 ? noteHealth([...findings.values()]) : undefined,
    ]);
    for (const end of written) if (end.status === 'rejected') onUnlearned(end.reason);
  };
  return {
    expect: () => {
      expected++;
    },
    observe: (observation) => observations.push(observation),
    find: (webhook, finding) => {
      const known = findings.get(webhook.id)?.finding;
      findings.set(webhook.id, { webhook, finding: known === undefined ? finding : merge(known, finding) });
    },
    end: () => (--expected > 0 ? undefined : passOn()),
  };
};

/** A success among failures is what counts: the receiver works. */
const merge = (known: Finding, found: Finding): Finding => ({
  wish: found.wish ?? known.wish,
  isAlive: known.isAlive === true || found.isAlive === true,
  outcome: found.outcome === undefined || known.outcome?.ok === true ? known.outcome : found.outcome,
});
