/** What a batch of deliveries is worked on with: all that was read for it, and what its attempts share. */

import type { WebhookId } from '../foundation/ids.ts';
import { batchedWrite } from './batched-write.ts';
import type { Delivery, DeliveryMessage } from './delivery.ts';
import { type Findings, findingsOf } from './findings.ts';
import { type LaneMessage, sendToLanes } from './lanes.ts';
import { type Loaded, load } from './load.ts';
import { recordSuccesses } from './record.ts';
import { type SoftDeadlines, softDeadlines } from './soft-deadline.ts';
import type { Turn } from './turns.ts';

/** A webhook, and what the deliveries of this batch to it share. */
export interface Recipient {
  readonly findings: Findings;
  /** The claim of the one among them that may probe; resolves to false where another environment probes. */
  probe?: Promise<boolean>;
  /** The turn that all of them share. */
  turn?: Promise<Turn>;
}

export interface Batch extends Loaded {
  readonly softDeadlines: SoftDeadlines;
  /** By webhook; those that are gone are left out. */
  readonly recipients: ReadonlyMap<WebhookId, Recipient>;
  /** Count an attempt as under way, and as answered and, where it succeeded, being recorded. */
  readonly begin: () => void;
  readonly end: () => void;
  readonly recordSuccess: (delivery: Delivery) => Promise<void>;
  readonly sendLater: (attempt: LaneMessage) => Promise<void>;
}

/** A success is written at the latest so many ms after its answer, however long the rest of the batch takes. */
const successWaitMs = 50;
/** What is deferred at the same time is sent at the same time. */
const laterWaitMs = 10;

/** Reads what these messages need. */
export const prepareBatch = async (messages: readonly DeliveryMessage[], disableAfterDays: number): Promise<Batch> => {
  const loaded = await load(messages);
  const recipients = new Map<WebhookId, Recipient>();
  for (const { webhook_id } of messages) {
    const webhook = loaded.webhooks.get(webhook_id);
    if (webhook === undefined) continue;
    let recipient = recipients.get(webhook_id);
    if (recipient === undefined) {
      recipient = { findings: findingsOf(webhook, disableAfterDays) };
      recipients.set(webhook_id, recipient);
    }
    recipient.findings.expect();
  }
  const successes = batchedWrite(recordSuccesses, successWaitMs);
  const later = batchedWrite(sendToLanes, laterWaitMs);
  const deadlines = softDeadlines();
  let underWay = 0;
  return {
    ...loaded,
    recipients,
    softDeadlines: deadlines,
    begin: () => {
      underWay++;
    },
    end: () => {
      underWay--;
      if (underWay > 0) return;
      successes.flush();
      deadlines.stop();
    },
    recordSuccess: successes.add,
    sendLater: later.add,
  };
};
