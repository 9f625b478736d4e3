/** Writes a webhook's health. If the fields of `basis` have changed since they were read, the step is decided again. */
import { dueAt } from '../due/due-index.ts';
import { type OutboxMessage, sendStored, storeMessage } from '../due/outbox.ts';
import { minute } from '../foundation/clock.ts';
import { newRevision } from '../foundation/new-id.ts';
import { allOf, type Change, type Condition, isStill } from '../table/condition.ts';
import type { Tried } from '../table/conditional.ts';
import { updateOnce, updateOnceWith } from '../table/once.ts';
import { auditedStatus } from './audit.ts';
import { markingOf } from './backlog.ts';
import { declined, marksBetween } from './declined.ts';
import { failingAttributes, type Outcome, shown, stepAfter, toldRecovery } from './failing.ts';
import { type Health, isSlow, type Observation, observe, whileLate } from './health.ts';
import { type StatusReport, statusMessages } from './status-messages.ts';
import { webhookKey } from './table-keys.ts';
import { declinedAttributes, type Webhook } from './webhook.ts';

export interface Finding {
  /** Missing if the attempt says nothing about the receiver. */
  readonly observation?: Observation | undefined;
  /** The outcome of an event's delivery. Redeliveries, replays and pings count neither as successes nor as failures. */
  readonly outcome?: Outcome | undefined;
  /** Whether a delivery succeeded, whatever triggered it. */
  readonly hasSucceeded?: boolean;
  /** What the receiver said when it declined, with a 410 or `webhook-delivery: disable`; missing if it did not. */
  readonly declined?: string | undefined;
  /** A successful ping. Unless staff disabled the webhook, it enables it and ends its time of failing. */
  readonly proof?: Outcome | undefined;
}

export interface Noted {
  /** The resulting record, as far as it is known. */
  readonly webhook: Webhook;
  readonly hasOpened: boolean;
  /** When to send the message that looks for deliveries that wait for it (`backlog.ts`), in epoch ms. */
  readonly lookAt: number | undefined;
}

const nothingNew = (webhook: Webhook): Noted => ({ webhook, hasOpened: false, lookAt: undefined });

/** How often a write is tried again after losing to another environment that serves this webhook. */
const maxTries = 20;

/** A change of the record: its new health, the attributes to set and remove, and what to send afterwards. */
interface Step extends StatusReport {
  readonly health: Health | undefined;
  readonly set?: Change['set'];
  readonly remove?: readonly string[];
  readonly lookAt?: number;
}

/** Records the findings of a batch, oldest first. A webhook that was deleted or has moved is not changed. */
export const noteFindings = async (
  webhook: Webhook,
  findings: readonly Finding[],
  disableAfterDays: number,
  now: number,
): Promise<Noted> => {
  const random = Math.random();
  const decide = (current: Webhook) => stepOf(current, findings, { disableAfterDays, now, random });
  return write(webhook, decide, now);
};

/** Moves a late webhook to the slow lane; its others wait until `endsAt` (epoch ms). Returns its updated record. */
export const noteLate = async (webhook: Webhook, now: number, endsAt: number): Promise<Webhook> => {
  const random = Math.random();
  const decide = ({ health }: Webhook) =>
    isSlow(health, now) ? undefined : { health: whileLate(health, now, random, endsAt) };
  return (await write(webhook, decide, now)).webhook;
};

const healthAfter = (
  { health }: Webhook,
  findings: readonly Finding[],
  now: number,
  random: number,
): Health | undefined => {
  let after = health;
  for (const { observation } of findings)
    if (observation !== undefined) after = observe(after, observation, now, random);
  return after;
};

interface StepContext {
  readonly disableAfterDays: number;
  readonly now: number;
  readonly random: number;
}

const stepOf = (webhook: Webhook, findings: readonly Finding[], context: StepContext): Step | undefined => {
  const step = withAnswer(webhook, statusStepOf(webhook, findings, context), findings);
  const { health } = step ?? webhook;
  const { status } = step === undefined ? webhook : afterStep(webhook, step);
  const hasSucceeded = findings.some((finding) => finding.hasSucceeded);
  const marking = markingOf(webhook, { health, status, hasSucceeded }, context.now);
  if (marking === undefined) return step;
  const { lookAt, set, remove = [] } = marking;
  return { ...step, health, set: { ...step?.set, ...set }, remove: [...(step?.remove ?? []), ...remove], lookAt };
};

/** Adds to a step whether the last attempt has succeeded, if that has changed. */
const withAnswer = (webhook: Webhook, step: Step | undefined, findings: readonly Finding[]): Step | undefined => {
  const accepts = findings.findLast(({ observation }) => observation !== undefined)?.hasSucceeded;
  if (accepts === undefined || accepts === webhook.accepts) return step;
  return { health: webhook.health, ...step, set: { ...step?.set, accepts } };
};

/** Returns the step that the findings call for, before the marks of a backlog are added. */
const statusStepOf = (
  webhook: Webhook,
  findings: readonly Finding[],
  { disableAfterDays, now, random }: StepContext,
): Step | undefined => {
  const health = healthAfter(webhook, findings, now, random);
  const outcome = outcomeOf(findings);
  const step = outcome && stepAfter(webhook, outcome, disableAfterDays);
  const proof = findings.findLast((finding) => finding.proof)?.proof;
  const said = findings.find((finding) => finding.declined !== undefined)?.declined;
  if (said !== undefined && webhook.status === 'available')
    return {
      health,
      ...step,
      set: { ...step?.set, ...declined(webhook, said, now) },
      notice: 'declined',
      event: { name: 'webhook.disabled', reason: 'receiver' },
    };
  // A new target URL ends the time of failing, but leaves the last error, which the ping replaces.
  const showsFailure = webhook.last_triggered_error !== null;
  const isWrong = webhook.status === 'disabled' || webhook.failing_since !== undefined || showsFailure;
  if (proof !== undefined && isWrong && webhook.disabled_for !== 'staff')
    return {
      health,
      set: { ...(showsFailure && shown(proof)), ...(outcome?.ok === true && step?.set), status: 'available' },
      remove: [...failingAttributes, ...(webhook.status === 'disabled' ? disabledAttributes : [])],
      ...toldRecovery(webhook),
    };
  return step === undefined && isSame(webhook.health, health) ? undefined : { health, ...step };
};

/** What a webhook has while it is disabled. */
const disabledAttributes = ['disabled_for', ...declinedAttributes, 'due', 'due_at'];

/** A success among failures counts, because it shows that the receiver works. */
const outcomeOf = (findings: readonly Finding[]): Outcome | undefined =>
  (findings.find(({ outcome }) => outcome?.ok) ?? findings.findLast(({ outcome }) => outcome))?.outcome;

const isSame = (one: Health | undefined, other: Health | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

const write = async (webhook: Webhook, decide: (current: Webhook) => Step | undefined, now: number): Promise<Noted> => {
  let current = webhook;
  for (let tries = 0; tries < maxTries; tries++) {
    const step = decide(current);
    if (step === undefined) return nothingNew(current);
    const messages = statusMessages(current, step, now);
    const tried = await tryStep(current, changeOf(current, step), step, messages);
    if (tried.written) {
      await sendStored(messages);
      const hasOpened = (step.health?.openings ?? 0) > (current.health?.openings ?? 0);
      return { webhook: tried.value ?? current, hasOpened, lookAt: step.lookAt };
    }
    const after = tried.refusal.found<Webhook>();
    if (after === undefined || after.target_url !== webhook.target_url) return nothingNew(current);
    current = after;
  }
  throw new Error(`the health of the webhook ${webhook.id} was changed by others in each of ${maxTries} tries`);
};

/** Writes a step, with its messages. A step that changes the status includes its entry in the audit log. */
const tryStep = (
  before: Webhook,
  change: Change,
  step: Step,
  messages: readonly OutboxMessage[],
): Promise<Tried<Webhook | undefined>> => {
  const after = afterStep(before, step);
  const writes = [...auditedStatus(before, after), ...marksBetween(before, after), ...messages.map(storeMessage)];
  return updateOnceWith<Webhook>(webhookKey(before.id), change, unchanged(before), writes);
};

const afterStep = (before: Webhook, { set, remove = [] }: Step): Webhook => {
  const kept = Object.entries(before).filter(([name]) => !remove.includes(name));
  return { ...Object.fromEntries(kept), ...set } as Webhook;
};

const changeOf = (before: Webhook, step: Step): Change => {
  const health = step.health && { health: { ...step.health }, health_revision: newRevision() };
  const set = { ...step.set, ...health };
  const hadHealth = before.health !== undefined || before.health_revision !== undefined;
  const remove = [...(step.remove ?? []), ...(hadHealth ? ['health', 'health_revision'] : [])];
  // DynamoDB refuses an update that sets and removes the same attribute.
  return { set, remove: [...new Set(remove)].filter((attribute) => !Object.hasOwn(set, attribute)) };
};

/** Requires that everything the step is based on is unchanged. */
const unchanged = (webhook: Webhook): Condition => allOf(...basis.map((name) => isStill(name, webhook[name])));

const basis = [
  'event',
  'target_url',
  'status',
  'disabled_for',
  'health_revision',
  'failing_since',
  'warned_at',
  'releasing',
] as const;

/** Claims the probe of an open breaker, which counts as lost at `untilMs` (epoch ms). Undefined if it is claimed. */
export const claimProbe = async (webhook: Webhook, untilMs: number): Promise<Webhook | undefined> => {
  const change = changeOf(webhook, {
    health: { ...webhook.health, probe_until: untilMs },
    set: dueAt(webhookKey(webhook.id), untilMs + minute),
  });
  return (await updateOnce<Webhook>(webhookKey(webhook.id), change, unchanged(webhook))).value;
};
