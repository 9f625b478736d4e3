/** What the deliveries of a batch find out about one webhook: collected, and noted when the last of them has ended. */
import { log } from '../aws/log.ts';
import { count } from '../aws/metrics.ts';
import { send } from '../aws/queues.ts';
import { minute, systemClock } from '../foundation/clock.ts';
import { type Finding, noteFindings, noteLate, showNothingNew } from '../webhooks/health-store.ts';
import type { NoticeMessage } from '../webhooks/notice.ts';
import { setLane } from '../webhooks/subscriptions.ts';
import type { Webhook } from '../webhooks/webhook.ts';
import type { Lane } from './lanes.ts';

/** Should the message that notifies a webhook's owners be lost, the sweep sends another. */
const noticeDueMs = 5 * minute;

export interface Findings {
  /** The webhook's record as this batch knows it. */
  webhook: Webhook;
  /** Counts one more of the batch's deliveries. */
  readonly expect: () => void;
  readonly add: (finding: Finding) => void;
  /** Moves the webhook to the slow lane at once, while its answer is still awaited. */
  readonly late: () => void;
  /** Writes the lane of its subscription again, where the write that belongs to its health was lost. */
  readonly correctLane: (lane: Lane) => void;
  /** Counts a delivery as ended; the last one notes what was found. Never rejects. */
  readonly end: () => Promise<unknown> | undefined;
}

/** Collects the findings about one webhook. */
export const findingsOf = (loaded: Webhook, disableAfterDays: number): Findings => {
  const found: Finding[] = [];
  let expected = 0;
  let isLate = false;
  let isCorrected = false;
  let work: Promise<unknown> | undefined;
  // What could not be noted is found again by the next batch: nothing is posted twice for it.
  const next = (step: () => Promise<unknown>) => {
    work = (work ?? Promise.resolve())
      .then(step)
      .catch((error: unknown) => log.warn('The health of a webhook could not be written', { error }));
    return work;
  };
  const note = async (): Promise<void> => {
    const now = systemClock();
    const rules = { disableAfterDays, noticeDue: now + noticeDueMs };
    const { hasOpened, notice } = await noteFindings(findings.webhook, found, rules, now);
    if (hasOpened) count('BreakersOpened');
    if (notice !== undefined)
      await send('mail', [{ body: { webhook_id: findings.webhook.id } satisfies NoticeMessage }]);
  };
  const findings: Findings = {
    webhook: loaded,
    expect: () => {
      expected++;
    },
    add: (finding) => found.push(finding),
    late: () => {
      if (isLate) return;
      isLate = true;
      void next(async () => {
        findings.webhook = await noteLate(findings.webhook, systemClock());
      });
    },
    correctLane: (lane) => {
      if (isCorrected) return;
      isCorrected = true;
      void next(() => setLane(findings.webhook, lane));
    },
    end: () => {
      if (--expected > 0) return undefined;
      if (found.length === 0) return work;
      if (work === undefined && showNothingNew(findings.webhook, found, disableAfterDays, systemClock()))
        return undefined;
      return next(note);
    },
  };
  return findings;
};
