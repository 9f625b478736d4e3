/** The data of a batch of deliveries: everything that was read for it, and state that its attempts share. */
import { systemClock } from '../../foundation/clock.ts';
import { isStaffEvent } from '../../foundation/event-names.ts';
import type { WebhookId } from '../../foundation/ids.ts';
import type { Options } from '../../webhooks/options-resource.ts';
import { countFiltered, type FilteredEvent } from '../../webhooks/options-store.ts';
import { withStaffPermission } from '../../webhooks/staff-permission.ts';
import type { Delivery, DeliveryMessage } from '../delivery.ts';
import { type LaneMessage, sendToLanes } from '../lanes.ts';
import { batchedWrite } from '../records/batched-write.ts';
import { recordAndCountSuccesses } from '../records/record.ts';
import { type Findings, findingsOf } from './findings.ts';
import { isSuspect } from './hanging.ts';
import { type Loaded, load } from './load.ts';
import { type Rows, rowsOfBatch, type Turn } from './throttle.ts';

export interface WebhookState {
  readonly findings: Findings;
  /** Whether its integration has lost the permission to receive events about staff since the delivery was created. */
  readonly isBarred?: true;
  /** Whether it leaves the normal lane, because others of its integration hang. */
  readonly isSuspect?: true;
  readonly options: Options | undefined;
  /** The claim to probe, made for one delivery: when it is sent; undefined if another environment probes. */
  probe?: Promise<Turn | undefined>;
}

export interface Batch extends Pick<Loaded, 'deliveries' | 'events'> {
  /** By webhook, without deleted ones. */
  readonly webhooks: ReadonlyMap<WebhookId, WebhookState>;
  /** `begin` counts a running attempt; the last `end` writes the successes at once. */
  readonly begin: () => void;
  readonly end: () => void;
  readonly countFiltered: (event: FilteredEvent) => Promise<void>;
  /** Resolves when a delivery of a webhook with options may use them. */
  readonly mayUseOptions: () => Promise<void>;
  readonly recordSuccess: (delivery: Delivery) => Promise<void>;
  readonly sendLater: (attempt: LaneMessage) => Promise<void>;
  readonly rows: Rows;
}

/** The maximum ms from a response to the record of a success, however long the rest of the batch takes. */
const successWaitMs = 50;
/** Batches the messages that are deferred at the same time. */
const laterWaitMs = 10;

/** Reads the data for these messages. */
export const prepareBatch = async (messages: readonly DeliveryMessage[], disableAfterDays: number): Promise<Batch> => {
  const { webhooks: records, options, deliveries, events } = await load(messages);
  const barred = await barredOf(messages, records);
  const now = systemClock();
  const webhooks = new Map<WebhookId, WebhookState>();
  for (const [id, ofWebhook] of Map.groupBy(messages, ({ webhook_id }) => webhook_id)) {
    const record = records.get(id);
    if (record === undefined) continue;
    const findings = findingsOf(record, ofWebhook.length, disableAfterDays);
    webhooks.set(id, {
      findings,
      options: options.get(id),
      ...(barred.has(id) && { isBarred: true as const }),
      ...(isSuspect(record, now) && { isSuspect: true as const }),
    });
  }
  const successes = batchedWrite(recordAndCountSuccesses, successWaitMs);
  const later = batchedWrite(sendToLanes, laterWaitMs);
  const filtered = batchedWrite(countFiltered, laterWaitMs);
  let running = 0;
  return {
    deliveries,
    events,
    webhooks,
    begin: () => {
      running++;
    },
    end: () => {
      running--;
      if (running === 0) successes.flush();
    },
    countFiltered: filtered.add,
    mayUseOptions: oneByOne(),
    recordSuccess: successes.add,
    sendLater: later.add,
    rows: rowsOfBatch(),
  };
};

/** Returns promises that resolve one by one: many filters or templates in a row would starve sockets and timers. */
const oneByOne = (): (() => Promise<void>) => {
  let last = Promise.resolve();
  return () => {
    last = last.then(nextRound);
    return last;
  };
};

const nextRound = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Returns the webhooks that must not receive the events about staff among these messages. */
const barredOf = async (
  messages: readonly DeliveryMessage[],
  webhooks: Loaded['webhooks'],
): Promise<ReadonlySet<WebhookId>> => {
  const recipients = messages.flatMap(({ event, webhook_id }) =>
    isStaffEvent(event) ? (webhooks.get(webhook_id) ?? []) : [],
  );
  if (recipients.length === 0) return new Set();
  const permitted = await withStaffPermission(recipients.map(({ integration_id }) => integration_id));
  return new Set(recipients.flatMap(({ id, integration_id }) => (permitted.has(integration_id) ? [] : [id])));
};
