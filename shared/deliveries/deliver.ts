/**
 * Works on a batch of deliveries: skips what is done, keeps back what has to wait, posts the rest at the same time and
 * records each end. A receiver's failure is a result; only our own faults reject.
 */
import { type Clock, minute, second, timestamp } from '../foundation/clock.ts';
import type { Settings } from '../foundation/settings.ts';
import { judge, requestOf } from './attempt.ts';
import { type Batch, type BatchPorts, prepareBatch } from './batch.ts';
import { decide, type Lane, type Subject } from './decide.ts';
import { type Delivery, type DeliveryMessage, newDelivery } from './delivery.ts';
import { fastDeadlineMs, probeMs, type Receiver } from './receivers/receiver.ts';
import { type Random, scheduleMs } from './schedule.ts';
import type { Sender, SendResult } from './sender/send.ts';

export interface DeliverPorts extends BatchPorts {
  readonly claimProbe: (receiver: Receiver) => Promise<boolean>;
  readonly sender: Pick<Sender, 'send'>;
  readonly recordStep: (before: Delivery, after: Delivery, due?: number) => Promise<boolean>;
  readonly clock: Clock;
  readonly random: Random;
  readonly settings: Settings['deliveries'];
}

/** The longest wait that rides on a queue (SQS limit of DelaySeconds); longer ones are for the sweep. */
const longestRideMs = 900 * second;
/** The sweep looks after a timer that rides on a queue so long after its time: a visibility timeout. */
const overdueMs = 3 * minute;

/** Error of a delivery whose receiver was left alone for all its time. */
const unreachable = 'unreachable';

/** Gives a promise for each message of the batch, in its order; a rejected one was our fault and has to be tried again. */
export const deliverBatch = (
  ports: DeliverPorts,
  messages: readonly DeliveryMessage[],
  lane: Lane,
): Promise<void>[] => {
  // The same message twice in a batch is one attempt.
  const seen = new Set<string>();
  const isFirst = messages.map(({ delivery_id, attempt }) => {
    const { size } = seen;
    return seen.add(`${delivery_id} ${attempt}`).size > size;
  });
  const prepared = prepareBatch(
    ports,
    messages.filter((_, position) => isFirst[position]),
  );
  return messages.map(async (message, position) => {
    const batch = await prepared;
    if (isFirst[position] === false) return;
    try {
      await deliver({ ports, batch, message, lane });
    } finally {
      const learned = batch.destinations.get(message.webhook_id)?.lessons.end();
      if (learned !== undefined) await learned;
    }
  });
};

/** One message to work on. */
interface Work {
  readonly ports: DeliverPorts;
  readonly batch: Batch;
  readonly message: DeliveryMessage;
  readonly lane: Lane;
}

const deliver = (work: Work): Promise<unknown> | undefined => {
  const { ports, batch, message, lane } = work;
  const known = batch.deliveries.get(message.delivery_id);
  if (known === undefined && message.attempt > 1) return undefined;
  const delivery = known ?? newDelivery(message, ports.settings);
  const now = ports.clock();
  const decision = decide(batch, message, delivery, lane, now);
  switch (decision.kind) {
    case 'skip':
      return undefined;
    case 'end':
      return end(ports, delivery, decision.status, decision.error);
    case 'give over':
      return batch.sendLater({ message, delaySeconds: 0 });
    case 'wait':
      return keepBack(work, decision, decision.until, now);
    case 'probe':
      return probe(work, decision, now);
    case 'post':
      return post(work, decision, false);
  }
};

/** Ends a delivery without an attempt. */
const end = (ports: DeliverPorts, delivery: Delivery, status: Delivery['status'], error: string | null) =>
  ports.recordStep(delivery, {
    ...delivery,
    status,
    last_error: error,
    next_attempt_at: null,
    waiting_for: status === 'held' ? { reason: 'disabled', until: null } : null,
  });

/** One of all that find an open breaker's time over may probe; the others go on waiting. */
const probe = async (work: Work, subject: Subject, now: number): Promise<void> => {
  const { destination } = subject;
  const isLate = destination.isProbed;
  destination.isProbed = true;
  if (!isLate && (await work.ports.claimProbe(destination.receiver))) return post(work, subject, true);
  return keepBack(work, subject, now + probeMs, now);
};

/**
 * Waiting is not an attempt: only the time of the next one moves, spread a little so that not all come back at once. A
 * delivery that would wait for longer than its schedule lasts has failed.
 */
const keepBack = async (work: Work, { delivery, webhook, destination }: Subject, until: number, now: number) => {
  const { ports, message } = work;
  if (until > Date.parse(delivery.created_at) + scheduleMs(ports.settings.retryAfterSeconds)) {
    const outcome = { ok: false, at: now, status: null, error: unreachable };
    if (message.trigger === 'event') destination.lessons.find(webhook, { outcome });
    await end(ports, delivery, 'failed', unreachable);
    return;
  }
  const next = Math.round(until + ports.random() * Math.min(30 * second, (until - now) / 2));
  const waiting_for = { reason: 'circuit_breaker', until: timestamp(until) } as const;
  await schedule(work, delivery, { ...delivery, next_attempt_at: timestamp(next), waiting_for }, now);
};

/** Records a delivery that is to be attempted later, then puts the attempt into the queue where the wait is short. */
const schedule = async (
  { ports, batch, message }: Work,
  before: Delivery,
  after: Delivery & { readonly next_attempt_at: string },
  now: number,
): Promise<void> => {
  const next = Date.parse(after.next_attempt_at);
  const rides = next - now <= longestRideMs;
  if (!(await ports.recordStep(before, after, rides ? next + overdueMs : next))) return;
  const delaySeconds = Math.max(0, Math.ceil((next - now) / second));
  if (rides)
    await batch.sendLater({
      message: { ...message, attempt: after.attempts + 1 },
      delaySeconds,
    });
};

const post = async (work: Work, subject: Subject, isProbe: boolean): Promise<void> => {
  const { ports, batch, message, lane } = work;
  const { webhook, event, destination } = subject;
  const { timeoutMs, fastTimeoutMs } = ports.settings;
  const deadlineMs = lane === 'fast' ? fastDeadlineMs(destination.receiver, fastTimeoutMs) : timeoutMs;
  const startedAt = ports.clock();
  let recorded: Promise<unknown>;
  batch.begin();
  try {
    const result = await ports.sender.send(requestOf(webhook, event, message, startedAt, deadlineMs));
    recorded = conclude(work, subject, result, startedAt, isProbe);
  } finally {
    batch.end();
  }
  await recorded;
};

/** Draws the conclusions from what came of an attempt; resolves when they are in the table. */
const conclude = (
  work: Work,
  subject: Subject,
  result: SendResult,
  startedAt: number,
  isProbe: boolean,
): Promise<unknown> => {
  const { ports, batch, message } = work;
  const { delivery, webhook, destination } = subject;
  const now = ports.clock();
  // Nothing was sent: the cap of requests at a time was reached, or we are being stopped.
  if (result.outcome === 'failed' && (result.error === 'busy' || result.error === 'cancelled'))
    return keepBack(work, subject, now + second, now);
  const { after, observation, wish } = judge(delivery, result, { startedAt, now, isProbe }, ports);
  if (observation !== undefined) destination.lessons.observe(observation);
  const ok = after.status === 'delivered';
  const outcome = { ok, at: startedAt, status: after.last_status, error: after.last_error };
  // Deliveries by hand do not count for the webhook's health, but what their receiver asks for is done.
  destination.lessons.find(webhook, {
    outcome: message.trigger === 'event' ? outcome : undefined,
    wish,
    isAlive: message.trigger === 'ping' && ok,
  });
  if (ok) return batch.recordSuccess(after);
  if (after.next_attempt_at !== null)
    return schedule(work, delivery, { ...after, next_attempt_at: after.next_attempt_at }, now);
  return ports.recordStep(delivery, after);
};
