/**
 * Processes a batch of deliveries: skips finished ones, defers those that must wait (`wait.ts`), posts the rest concurrently
 * (`attempt.ts` judges the answer) and records each result (`records/`). A receiver's failure is a result; only internal errors reject.
 */
import { readAnswer } from '../../formats/format.ts';
import { minute, second, systemClock } from '../../foundation/clock.ts';
import type { DeliveryId } from '../../foundation/ids.ts';
import type { Settings } from '../../foundation/settings.ts';
import { settleAll } from '../../foundation/settle.ts';
import { countOutcome } from '../../stats/count.ts';
import { softDeadlineMs } from '../../webhooks/health.ts';
import { claimProbe } from '../../webhooks/health-store.ts';
import type { Options } from '../../webhooks/options-resource.ts';
import { readWebhook } from '../../webhooks/store.ts';
import type { Webhook } from '../../webhooks/webhook.ts';
import { newDelivery } from '../delivery.ts';
import type { Lane } from '../lanes.ts';
import { type QueueMessage, unpack } from '../records/messages.ts';
import type { SendResult } from '../sender/result.ts';
import type { Sender } from '../sender/send.ts';
import { judge, requestOf } from './attempt.ts';
import { prepareBatch, type WebhookState } from './batch.ts';
import { decide, earlyMs, type Subject } from './decide.ts';
import { rememberAnswer } from './hanging.ts';
import { showWhileWaiting } from './show.ts';
import { watchReceiver } from './soft-deadline.ts';
import { takeTurn } from './turns.ts';
import { defer, end, moveToSlowLane, recordEnd, schedule, type Waiting, waitForTurn } from './wait.ts';

export interface DeliverOptions {
  readonly sender: Pick<Sender, 'send'>;
  readonly settings: Settings['deliveries'];
}

/** The longest wait before a delivery asks for a turn again. */
const maxAskMs = 2 * minute;
/** How much longer than its deadlines a probe may take before it counts as lost. */
const probeMarginMs = 2 * second;

/**
 * Returns a promise for each message of the batch, in order; it settles with the last delivery of the message. A rejected one is an internal
 * error: SQS delivers the message again, and recorded deliveries are skipped.
 */
export const deliverBatch = (
  options: DeliverOptions,
  messages: readonly QueueMessage[],
  lane: Lane,
): Promise<void>[] => {
  const deliveries = messages.map(unpack);
  const begun = new Set<DeliveryId>();
  const prepared = prepareBatch(deliveries.flat(), options.settings.disableAfterDays);
  return deliveries.map(async (ofMessage) => {
    const batch = await prepared;
    await settleAll(ofMessage.map((message) => deliver({ options, batch, message, lane, begun })));
  });
};

/** One delivery to process. */
interface Work extends Waiting {
  readonly options: DeliverOptions;
  readonly lane: Lane;
  /** The deliveries of the batch that a message was processed for. */
  readonly begun: Set<DeliveryId>;
}

const deliver = async (work: Work): Promise<void> => {
  try {
    await processDelivery(work);
  } finally {
    await work.batch.webhooks.get(work.message.webhook_id)?.findings.end();
  }
};

const processDelivery = async (work: Work): Promise<unknown> => {
  const { options, batch, message, lane, begun } = work;
  const known = batch.deliveries.get(message.delivery_id);
  if (batch.webhooks.get(message.webhook_id)?.options !== undefined) await batch.mayUseOptions();
  const now = systemClock();
  const delivery = known ?? newDelivery(message, options.settings, now);
  const decision = decide(batch, message, delivery, lane, now);
  // A delivery that is twice in a batch is attempted once. If one of its messages is void, the other may be valid.
  if (decision.kind === 'skip' || begun.has(delivery.id)) return undefined;
  begun.add(delivery.id);
  if (message.first === true) countOutcome('accepted', 1, Date.parse(message.created_at));
  switch (decision.kind) {
    case 'leave out':
      // If it waited before the webhook had the filter, it has a record.
      if (known !== undefined) return end(delivery, 'cancelled', null, 'disabled');
      return batch.countFiltered(message);
    case 'end':
      return end(delivery, decision.status, decision.error, 'disabled');
    case 'move to slow lane':
      return moveToSlowLane(work, delivery, decision.state, decision.slowSince);
    case 'wait':
      return defer(work, decision, decision, now);
    case 'probe':
      return probe(work, decision, now);
    case 'take a turn':
      return takeTurnOrWait(work, decision, now);
    case 'post':
      return post(work, decision, false);
  }
};

/** After the circuit breaker's wait only one delivery of a webhook probes, and the others wait for the result. */
const probe = async (work: Work, subject: Subject, now: number): Promise<unknown> => {
  const { state } = subject;
  const { timeoutMs, connectTimeoutMs } = work.options.settings;
  // It waits for one of our connections, connects, and waits for the answer.
  const until = now + timeoutMs + connectTimeoutMs + timeoutMs + probeMarginMs;
  const isFirst = state.probe === undefined;
  state.probe ??= claim(state, until);
  if ((await state.probe) && isFirst) return post(work, subject, true);
  return defer(work, subject, { reason: 'circuit_breaker', until }, now);
};

const claim = async ({ findings }: WebhookState, until: number): Promise<boolean> => {
  const claimed = await claimProbe(findings.webhook, until);
  if (claimed !== undefined) findings.webhook = claimed;
  return claimed !== undefined;
};

/** The deliveries of a slow webhook in one batch share a turn. If it is later, they are queued again for it. */
const takeTurnOrWait = async (work: Work, subject: Subject, now: number): Promise<unknown> => {
  const { message, options } = work;
  const { state } = subject;
  if (message.turn !== undefined) {
    if (message.turn <= now + earlyMs) return post(work, subject, false);
    return waitForTurn(work, subject, message.turn, message.turn, now);
  }
  state.turn ??= takeTurn(state.findings.webhook, options.settings.timeoutMs, now);
  const { at, isTaken } = await state.turn;
  if (isTaken && at <= now + earlyMs) return post(work, subject, false);
  if (isTaken) return waitForTurn(work, subject, at, at, now);
  // A delivery that has waited long asks less often, so that a long backlog does not fill the lane with requests for turns.
  const waitedMs = now - Date.parse(message.created_at);
  return waitForTurn(work, subject, Math.max(at, now + Math.min(maxAskMs, waitedMs / 2)), undefined, now);
};

const post = async (work: Work, subject: Subject, isProbe: boolean): Promise<void> => {
  const { options, batch, message, lane } = work;
  const { webhook, event, state, delivery } = subject;
  const { timeoutMs, slowAfterMs } = options.settings;
  const { health } = webhook;
  if (lane === 'slow' && health?.lane !== 'slow' && message.turn === undefined && !batch.deliveries.has(delivery.id))
    state.findings.correctLane('normal');
  const startedAt = systemClock();
  const watch = watchReceiver(softDeadlineMs(health, slowAfterMs), state.findings.late);
  const built = requestOf(webhook, event, message, startedAt, timeoutMs, state.options);
  const shown = showWhileWaiting(work, delivery);
  const onReceiverTime = (): void => {
    watch.begin();
    shown.begin();
  };
  batch.begin();
  // Add the result before `end`: the last `end` of a batch writes the successes.
  let recorded: Promise<unknown>;
  try {
    const isStillWanted = (): Promise<boolean> => isAsItWas(webhook);
    const result = asMeant(await options.sender.send({ ...built, onReceiverTime, isStillWanted }), state.options);
    const wasLate = watch.end();
    const known = { ...subject, delivery: await shown.end() };
    recorded = recordResult(work, known, result, { startedAt, isProbe, wasLate });
  } finally {
    void shown.end();
    watch.end();
    batch.end();
  }
  await recorded;
};

/** Returns a result as the service of the webhook's format means it. */
const asMeant = (result: SendResult, options: Options | undefined): SendResult =>
  result.outcome === 'answered' && options !== undefined ? readAnswer(options.format, result) : result;

/** Returns whether everything that a request to the webhook depends on is unchanged. */
const isAsItWas = async (webhook: Webhook): Promise<boolean> => {
  const found = await readWebhook(webhook.id);
  return found !== undefined && comparedFields.every((name) => found[name] === webhook[name]);
};

const comparedFields = ['event', 'status', 'target_url', 'api_version', 'secret', 'options_revision'] as const;

/** Records the effect of an attempt; resolves when it is in the table. */
const recordResult = (
  work: Work,
  subject: Subject,
  result: SendResult,
  context: { readonly startedAt: number; readonly isProbe: boolean; readonly wasLate: boolean },
): Promise<unknown> => {
  const { options, batch, message } = work;
  const { delivery, state, webhook } = subject;
  const now = systemClock();
  // Nothing was sent: no connection became free, the webhook was changed or deleted during that wait, or the environment is stopping.
  if (result.outcome === 'failed' && (result.error === 'busy' || result.error === 'cancelled'))
    return defer(work, subject, { reason: 'turn', until: now + second }, now);
  const { after, observation, isDeclined } = judge(
    delivery,
    result,
    { ...context, now, apiVersion: webhook.api_version },
    options.settings,
  );
  const ok = after.status === 'delivered';
  // Attempts in the slow lane are not watched, so they may have been late.
  if (result.outcome === 'answered' && !context.wasLate && webhook.health?.lane !== 'slow') rememberAnswer(webhook);
  const outcome = { ok, at: context.startedAt, status: after.last_status, error: after.last_error };
  state.findings.add({
    observation,
    // Only attempts of events count towards failing. A 410 or `disable` counts always.
    outcome: message.trigger === 'event' ? outcome : undefined,
    hasSucceeded: ok,
    isDeclined,
    proof: message.trigger === 'ping' && ok ? outcome : undefined,
  });
  if (ok) return batch.recordSuccess(after);
  if (after.next_attempt_at !== null)
    return schedule(work, delivery, { ...after, next_attempt_at: after.next_attempt_at }, now);
  return recordEnd(delivery, after);
};
