/**
 * Processes a batch of deliveries. Each is decided (`decide.ts`), posted and judged (`attempt.ts`) or made to wait
 * (`wait.ts`), then recorded (`records/`). A receiver's failure is a result; only internal errors reject.
 */
import { sendStored } from '../../due/outbox.ts';
import { traceIdOf } from '../../events/trace.ts';
import { readAnswer } from '../../formats/format.ts';
import { second, systemClock } from '../../foundation/clock.ts';
import type { DeliveryId } from '../../foundation/ids.ts';
import type { Settings } from '../../foundation/settings.ts';
import { settleAll } from '../../foundation/settle.ts';
import { claimProbe } from '../../webhooks/health-store.ts';
import type { Options } from '../../webhooks/options-resource.ts';
import { readWebhook } from '../../webhooks/store.ts';
import type { Webhook } from '../../webhooks/webhook.ts';
import { asFound, type Delivery, type DeliveryMessage, newDelivery } from '../delivery.ts';
import { type Lane, nextMessageOf } from '../lanes.ts';
import { failureMessage, mustReport } from '../records/failed.ts';
import { type QueueMessage, unpack } from '../records/messages.ts';
import { recordAndCountStep } from '../records/record.ts';
import { enterWindow } from '../records/windows.ts';
import type { SendResult } from '../sender/result.ts';
import type { Sender } from '../sender/send.ts';
import { judge, requestOf } from './attempt.ts';
import { type Batch, prepareBatch } from './batch.ts';
import { supersededIn, waitingIn, windowNameOf } from './debounce.ts';
import { type Decision, decide, type Subject } from './decide.ts';
import { rememberAnswer } from './hanging.ts';
import { saidIn } from './said.ts';
import { watchReceiver } from './soft-deadline.ts';
import { rememberHost, type Turn, takeTurn } from './throttle.ts';
import { deferred, ended, queued } from './wait.ts';

export interface DeliverOptions {
  readonly sender: Pick<Sender, 'send'>;
  readonly settings: Settings['deliveries'];
}

/** How much longer than its deadlines a probe or a late attempt may take before it counts as lost. */
const probeMarginMs = 2 * second;

/** Returns a promise per message, in order. If one rejects, SQS delivers it again; recorded deliveries are skipped. */
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

interface Work {
  readonly options: DeliverOptions;
  readonly batch: Batch;
  readonly message: DeliveryMessage;
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
  if (batch.webhooks.get(message.webhook_id)?.options !== undefined) await batch.mayUseOptions();
  const now = systemClock();
  const known = batch.deliveries.get(message.delivery_id);
  const delivery = asFound(known, message, options.settings, now);
  const decision = decide(batch, message, delivery, lane, now);
  // A delivery that is twice in a batch is attempted once. If one of its messages is void, the other may be valid.
  if (decision.kind === 'skip' || begun.has(delivery.id)) return undefined;
  begun.add(delivery.id);
  switch (decision.kind) {
    case 'leave out':
      // If it waited before the webhook had the filter, it has a record.
      return known === undefined
        ? batch.countFiltered(message)
        : record(work, delivery, ended(delivery, 'cancelled', null));
    case 'debounce':
      return debounce(work, decision, now);
    case 'end':
      return record(work, delivery, ended(delivery, decision.status, decision.error));
    case 'move to slow lane':
      return batch.sendLater({ message, lane: 'slow' });
    case 'wait':
      return record(work, delivery, deferred(delivery, decision, options.settings, now, Math.random));
    case 'probe':
      return probe(work, decision, now);
    case 'post':
      return attempt(work, decision, false, await turnOf(work, decision));
  }
};

/** Puts a delivery into its window. Repeating it is harmless, and one that a kill leaves in a past window is sent. */
const debounce = async (
  work: Work,
  { rule, delivery, event, webhook }: Decision & { readonly kind: 'debounce' },
  now: number,
): Promise<unknown> => {
  const { settings } = work.options;
  const { message } = work;
  const name = windowNameOf(rule, message.event, event.build(webhook.api_version).parsed());
  const window = await enterWindow(message, name, rule, settings, now);
  if (window.holder !== delivery.id) return record(work, delivery, supersededIn(window, delivery));
  if (window.replaced !== undefined) {
    const replaced = newDelivery(window.replaced, settings, now);
    await record(work, replaced, supersededIn(window, replaced));
  }
  return record(work, delivery, waitingIn(window, delivery));
};

const turnOf = (
  { batch, lane, options }: Work,
  { webhook, state, delivery }: Subject,
  from: Lane | 'again' = lane,
): Promise<Turn> => takeTurn(batch.rows, { webhook, options: state.options, delivery, from }, options.settings);

/** After the circuit breaker's wait only one delivery of a webhook probes, and the others wait for the result. */
const probe = async (work: Work, subject: Subject, now: number): Promise<unknown> => {
  const { state, delivery } = subject;
  const { settings } = work.options;
  // It waits for one of our connections, connects, and waits for the answer.
  const until = now + settings.timeoutMs + settings.connectTimeoutMs + settings.timeoutMs + probeMarginMs;
  const isFirst = state.probe === undefined;
  state.probe ??= claim(work, subject, until);
  const turn = await state.probe;
  if (isFirst && turn !== undefined) return attempt(work, subject, true, turn);
  const wait = { reason: 'circuit_breaker', until: null } as const;
  return record(work, delivery, deferred(delivery, wait, settings, now, Math.random));
};

const claim = async (work: Work, subject: Subject, until: number): Promise<Turn | undefined> => {
  const turn = await turnOf(work, subject);
  if (turn.kind === 'later') return turn;
  const { findings } = subject.state;
  const claimed = await claimProbe(findings.webhook, until);
  if (claimed !== undefined) findings.webhook = claimed;
  return claimed && turn;
};

const attempt = async (work: Work, subject: Subject, isProbe: boolean, turn: Turn): Promise<unknown> => {
  const { batch } = work;
  batch.begin();
  // Add the result before `end`: the last `end` of a batch writes the successes.
  let recorded: Promise<unknown>;
  try {
    recorded = record(work, subject.delivery, await postInTurn(work, subject, isProbe, turn));
  } finally {
    batch.end();
  }
  return recorded;
};

/** Opening a connection may take longer than a turn; it is open for the next one. */
const maxTurns = 3;

const postInTurn = async (work: Work, subject: Subject, isProbe: boolean, first: Turn): Promise<Delivery> => {
  let turn = first;
  for (let turns = 0; turn.kind === 'now' && turns < maxTurns; turns++) {
    const after = await post(work, subject, isProbe, turn.startBy);
    if (after !== undefined) return after;
    turn = await turnOf(work, subject, 'again');
  }
  const now = systemClock();
  const wait = turn.kind === 'later' ? turn : { until: now + second, row: undefined };
  return queued(subject.delivery, wait, work.options.settings, now);
};

/** Posts a delivery, and returns it as it is after the attempt; undefined if its turn was over before it was sent. */
const post = async (
  work: Work,
  subject: Subject,
  isProbe: boolean,
  startBy: number | undefined,
): Promise<Delivery | undefined> => {
  const { message } = work;
  const { settings, sender } = work.options;
  const { webhook, event, state, delivery } = subject;
  const startedAt = systemClock();
  const watch = watchReceiver(settings.slowAfterMs, () =>
    state.findings.late(systemClock() + settings.timeoutMs + probeMarginMs),
  );
  const isStillWanted = (): Promise<boolean> => isAsItWas(webhook);
  try {
    const request = requestOf(webhook, event, message, startedAt, settings.timeoutMs, state.options);
    const startWithinMs = startBy && Math.max(0, startBy - startedAt);
    const answer = await sender.send({ ...request, startWithinMs, onReceiverTime: watch.begin, isStillWanted });
    const result = asMeant(answer, state.options);
    const now = systemClock();
    const isBusy = result.outcome === 'failed' && result.error === 'busy';
    if (isBusy && startBy !== undefined) return undefined;
    // Nothing was sent: no connection became free, or the webhook was changed or deleted during that wait.
    if (isBusy) return deferred(delivery, { reason: 'schedule', until: now + second }, settings, now, Math.random);
    const wasLate = watch.end();
    const context = { startedAt, isProbe, wasLate, now, apiVersion: webhook.api_version };
    const { after, observation, isDeclined } = judge(
      { ...delivery, trace_id: traceIdOf(event.traceparent) },
      result,
      context,
      settings,
    );
    const ok = after.status === 'delivered';
    if (result.outcome === 'answered' && !wasLate) rememberAnswer(webhook);
    if (observation !== undefined) await rememberHost(webhook, ok);
    const outcome = { ok, at: startedAt, status: after.last_status, error: after.last_error };
    state.findings.add({
      observation,
      // Only attempts of events count towards failing. A 410 or `disable` counts always.
      outcome: message.trigger === 'event' ? outcome : undefined,
      hasSucceeded: ok,
      declined: isDeclined && result.outcome === 'answered' ? saidIn(result, request, webhook, now) : undefined,
      proof: message.trigger === 'ping' && ok ? outcome : undefined,
    });
    return after;
  } finally {
    watch.end();
  }
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

/** Records a step after sending its next message, which counts as the record after a kill (`asFound`). */
const record = async ({ batch }: Work, before: Delivery, result: Delivery): Promise<unknown> => {
  if (result.status === 'delivered') return batch.recordSuccess(result);
  const webhook = batch.webhooks.get(result.webhook_id)?.findings.webhook;
  const after = { ...result, integration_id: webhook?.integration_id ?? result.integration_id };
  if (after.next_attempt_at === null) return recordEnd(before, after);
  const next = nextMessageOf(after, systemClock());
  if (next === undefined) return recordAndCountStep(before, after, { due: Date.parse(after.next_attempt_at) });
  await batch.sendLater(next);
  return recordAndCountStep(before, after);
};

const recordEnd = async (before: Delivery, after: Delivery): Promise<void> => {
  const messages = (await mustReport(after)) ? [failureMessage(after)] : [];
  if (await recordAndCountStep(before, after, { messages })) await sendStored(messages);
};
