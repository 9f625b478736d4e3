/** What a batch of deliveries is worked on with: all that was read for it, and what its attempts share. */

import type { BuildBody } from '../events/payload.ts';
import { memoized } from '../foundation/cache.ts';
import type { DeliveryId, WebhookId } from '../foundation/ids.ts';
import type { Webhook } from '../webhooks/webhook.ts';
import type { Delivery, DeliveryMessage } from './delivery.ts';
import { gatherer } from './gather.ts';
import { type LessonPorts, type Lessons, lessonsOf } from './lessons.ts';
import { newReceiver, type Receiver } from './receivers/receiver.ts';

/** An event whose body is still kept. */
export interface LoadedEvent {
  readonly build: BuildBody;
  /** ISO time at which it was accepted. */
  readonly created_at: string;
}

/** What the table has; what is not there is left out. */
export interface Loaded {
  readonly webhooks: ReadonlyMap<WebhookId, Webhook>;
  readonly deliveries: ReadonlyMap<DeliveryId, Delivery>;
  /** By the hash that names the body. */
  readonly events: ReadonlyMap<string, LoadedEvent>;
}

export interface BatchPorts extends LessonPorts {
  readonly load: (messages: readonly DeliveryMessage[]) => Promise<Loaded>;
  readonly readReceivers: (origins: Iterable<string>) => Promise<ReadonlyMap<string, Receiver>>;
  readonly recordSuccesses: (deliveries: readonly Delivery[]) => Promise<void>;
  /** Puts attempts into the slow lane. */
  readonly sendLater: (attempts: readonly LaterAttempt[]) => Promise<void>;
}

/** An attempt that is not for now. */
export interface LaterAttempt {
  readonly message: DeliveryMessage;
  readonly delaySeconds: number;
}

/** A receiver, and what the batch learns about it. */
export interface Destination {
  readonly receiver: Receiver;
  readonly lessons: Lessons;
  /** Whether somebody of this batch probes it or has tried to. */
  isProbed: boolean;
}

export interface Batch extends Loaded {
  /** Of the webhooks that are there; those of one receiver share it. */
  readonly destinations: ReadonlyMap<WebhookId, Destination>;
  /** Say that an attempt is under way, and that its answer is there and, where it was a success, being recorded. */
  readonly begin: () => void;
  readonly end: () => void;
  readonly recordSuccess: (delivery: Delivery) => Promise<void>;
  readonly sendLater: (attempt: LaterAttempt) => Promise<void>;
}

/** A success is written at the latest so many ms after its answer, however long the rest of the batch takes. */
const successPatienceMs = 50;
/** What is put off at the same time is sent at the same time. */
const laterPatienceMs = 10;

/** Reads what these messages need. */
export const prepareBatch = async (ports: BatchPorts, messages: readonly DeliveryMessage[]): Promise<Batch> => {
  const loaded = await ports.load(messages);
  const origins = new Map<WebhookId, string>();
  for (const { id, target_url } of loaded.webhooks.values()) origins.set(id, originOf(target_url));
  const receivers = await ports.readReceivers(origins.values());
  const byOrigin = new Map<string, Destination>();
  const destinations = new Map<WebhookId, Destination>();
  for (const { webhook_id } of messages) {
    const origin = origins.get(webhook_id);
    if (origin === undefined) continue;
    const receiver = receivers.get(origin) ?? newReceiver(origin);
    const destination = byOrigin.get(origin) ?? { receiver, lessons: lessonsOf(receiver, ports), isProbed: false };
    byOrigin.set(origin, destination);
    destinations.set(webhook_id, destination);
    destination.lessons.expect();
  }
  const successes = gatherer(ports.recordSuccesses, successPatienceMs);
  const later = gatherer(ports.sendLater, laterPatienceMs);
  let underWay = 0;
  return {
    ...loaded,
    destinations,
    begin: () => {
      underWay++;
    },
    end: () => {
      underWay--;
      if (underWay === 0) successes.flush();
    },
    recordSuccess: successes.add,
    sendLater: later.add,
  };
};

/** Each URL comes again with each event. */
const originOf = memoized((url) => new URL(url).origin);
