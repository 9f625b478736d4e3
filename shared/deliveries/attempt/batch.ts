/** The data of a batch of deliveries: everything that was read for it, and the state that its attempts share. */

import type { WebhookId } from '../../foundation/ids.ts';
import type { Delivery, DeliveryMessage } from '../delivery.ts';
import { type LaneMessage, sendToLanes } from '../lanes.ts';
import { batchedWrite } from '../records/batched-write.ts';
import { recordSuccesses } from '../records/record.ts';
import * as store from '../records/store.ts';
import { type Findings, findingsOf } from './findings.ts';
import { type Loaded, load } from './load.ts';
import { type SoftDeadlines, softDeadlines } from './soft-deadline.ts';
import type { Turn } from './turns.ts';

/** A webhook, and the state that its deliveries in this batch share. */
export interface Recipient {
  readonly findings: Findings;
  /** The claim of the one delivery that may probe; resolves to false if another environment probes. */
  probe?: Promise<boolean>;
  /** The turn that all of its deliveries share. */
  turn?: Promise<Turn>;
}

export interface Batch extends Loaded {
  readonly softDeadlines: SoftDeadlines;
  /** By webhook, without deleted ones. */
  readonly recipients: ReadonlyMap<WebhookId, Recipient>;
  /** Count an attempt as running, and as answered and, if it succeeded, being recorded. */
  readonly begin: () => void;
  readonly end: () => void;
  readonly recordSuccess: (delivery: Delivery) => Promise<void>;
  readonly sendLater: (attempt: LaneMessage) => Promise<void>;
}

/** The maximum ms from a response to the record of a success, however long the rest of the batch takes. */
const successWaitMs = 50;
/** Batches the messages that are deferred at the same time. */
const laterWaitMs = 10;

/** Reads the data for these messages. */
export const prepareBatch = async (messages: readonly DeliveryMessage[], disableAfterDays: number): Promise<Batch> => {
  const loaded = await load(messages);
  // Otherwise the sweep would check their items again and again.
  await store.recordSuccesses(loaded.settled);
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
