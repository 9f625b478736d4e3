/** Collects the findings of a batch about one webhook, and records them when its last delivery has ended. */
import { log } from '../../aws/log.ts';
import { count } from '../../aws/metrics.ts';
import { systemClock } from '../../foundation/clock.ts';
import { type Finding, noteFindings, noteLate } from '../../webhooks/health-store.ts';
import type { Webhook } from '../../webhooks/webhook.ts';
import { sendWaiting } from '../backlog/message.ts';
import { rememberLate } from './hanging.ts';

export interface Findings {
  /** The newest record of the webhook that this batch knows. */
  webhook: Webhook;
  readonly add: (finding: Finding) => void;
  /** Moves the webhook to the slow lane while its response is pending, until `endsAt` (epoch ms) at the latest. */
  readonly late: (endsAt: number) => void;
  /** Counts a delivery as ended; the last one records the findings. Never rejects. */
  readonly end: () => Promise<void>;
}

/** Collects the findings about one webhook that has `deliveries` deliveries in this batch. */
export const findingsOf = (loaded: Webhook, deliveries: number, disableAfterDays: number): Findings => {
  const found: Finding[] = [];
  let expected = deliveries;
  let isLate = false;
  /** The write that is in progress, because writes run one after the other; undefined before the first. */
  let writes: Promise<void> | undefined;
  // A failed write is not worth another request to the receiver: the webhook's next attempts lead to the same findings.
  const next = (write: () => Promise<void>): void => {
    writes = (writes ?? Promise.resolve())
      .then(write)
      .catch((error: unknown) => log.warn('The health of a webhook could not be written', { error }));
  };
  const note = async (): Promise<void> => {
    const now = systemClock();
    const { webhook, hasOpened, lookAt } = await noteFindings(findings.webhook, found, disableAfterDays, now);
    if (hasOpened) count('BreakersOpened');
    if (lookAt !== undefined) await sendWaiting({ waiting: webhook.id, releasing: webhook.releasing }, lookAt);
  };
  const findings: Findings = {
    webhook: loaded,
    add: (finding) => found.push(finding),
    late: (endsAt) => {
      if (isLate) return;
      isLate = true;
      rememberLate(findings.webhook, systemClock());
      next(async () => {
        findings.webhook = await noteLate(findings.webhook, systemClock(), endsAt);
      });
    },
    end: async () => {
      expected--;
      if (expected > 0) return;
      if (found.length > 0) next(note);
      await writes;
    },
  };
  return findings;
};
